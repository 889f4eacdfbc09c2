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
    /// How long the lease of the writer lasts at least after its renewal, which each division makes.
    ///
    /// No worker gets a slice until another worker is the writer, and the slices that it did not grant have ended.
    package static let writerLifetime = Duration.seconds(1)
    /// The time between divisions, which renew the lease of the writer.
    package static let divisionInterval = Duration.milliseconds(200)
    /// The time between attempts to become the writer.
    package static let writerInterval = Duration.milliseconds(200)
    /// The longest lease of a writer that is far from the server.
    package static let longestWriterLifetime = Duration.seconds(10)
    /// How long slices may still count after a failover of which the writer's row does not show all divisions: no slice
    /// is used for longer after the request whose answer has it.
    package static let lostSlices = Duration.seconds(3)
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
