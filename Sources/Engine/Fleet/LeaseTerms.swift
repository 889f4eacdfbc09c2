/// The times of leases.
///
/// No safety depends on them: they decide how soon another worker takes over, and when a worker stops
/// using what it may have lost.
package enum LeaseTerms {
    /// How long a lease lasts after its renewal, by the server's clock.
    package static let lifetime = Duration.seconds(15)
    /// The time between renewals.
    package static let interval = Duration.seconds(5)
    /// How long a worker trusts its lease after the begin of its last renewal, by its monotonic clock.
    package static let trust = Duration.seconds(13)
    /// How long the lease of the writer lasts after its renewal, which each division makes.
    ///
    /// No worker gets a slice until another worker is the writer, and for the validity of a slice after that.
    package static let writerLifetime = Duration.seconds(1)
    /// The time between divisions, which renew the lease of the writer.
    package static let divisionInterval = Duration.milliseconds(200)
    /// The time between attempts to become the writer.
    package static let writerInterval = Duration.milliseconds(200)
    /// How long a request for a slice counts, by the server's clock: a worker that needs one asks more often.
    package static let requestLifetime = Duration.milliseconds(1_500)
    /// A worker without a beat for this long is a suspect, by the server's clock.
    package static let suspicion = Duration.seconds(7)
    /// How long a worker may take to confirm a timeline before it is struck off.
    package static let patience = Duration.seconds(60)
    /// How long the standbys of a server may take to return after they were seen, and after a promotion.
    ///
    /// A server without standbys counts what it has as stored only when this time is over.
    package static let standbyReturn = Duration.seconds(60)
    /// How long a wait for a standby may take before it is reported, by the monotonic clock.
    package static let standbyPatience = Duration.seconds(30)
}

/// The lease of a worker as the worker sees it.
struct LeaseTrust: Hashable, Sendable {
    private var end = Duration.zero

    func isValid(at now: Duration) -> Bool { now < end }

    /// `begin`: when the renewal began, because the server may have received it at once.
    mutating func renew(from begin: Duration) { end = max(end, begin + LeaseTerms.trust) }

    mutating func clear() { end = .zero }
}
