package import CampaignModel

/// How much of one quota may be used, and how it is begun with.
///
/// The beginning is gentle: from a tenth of the peak, but 1,000 a second, which is no spike to FCM,
/// up to the peak over 60 seconds (Firebase documentation, Scaling with FCM: from nothing to the
/// peak in no less than 60 seconds).
package struct PaceBudget: Hashable, Sendable {
    /// What is aimed at in a second: a hundredth below the quota, because what leaves evenly does
    /// not arrive so.
    package let peak: Double
    /// What one request may take at most: 1, or the registrations of a batch.
    package let largest: Int
    /// How FCM counts, and wants to be asked again.
    let quota: Quota

    /// `perSecond`: the quota, in messages or registrations.
    package init(perSecond: Double, largest: Int = 1, quota: Quota = .messages) {
        peak = max(perSecond, 1.0 / 60) * Self.usedShare
        self.largest = max(1, largest)
        self.quota = quota
    }

    package enum Quota: Sendable {
        /// So many in a minute (Firebase documentation, Throttling and quotas).
        case messages
        /// So many in a second (Firebase documentation, Throttling and quotas).
        case memberships

        /// Seconds over which what FCM takes is measured; of the quota by the second some, because a
        /// batch comes whole.
        var measured: Int { self == .messages ? 60 : 5 }

        /// The first pause after a refusal that names no time: a minute (Firebase documentation,
        /// Scaling with FCM); for topics only exponential backoff is asked for.
        var firstPause: Duration { self == .messages ? .seconds(60) : .seconds(1) }

        /// How much longer a pause may be by chance, as a share of it.
        var spread: Double { self == .messages ? 0.1 : 1 }
    }

    /// Of sends.
    package static func sends(_ pace: Pace) -> PaceBudget {
        PaceBudget(perSecond: Double(pace.sendsPerMinute) / 60)
    }

    /// Of membership changes, counted in registrations, 1,000 of which make a batch.
    package static func memberships(_ pace: Pace, largest: Int = 1_000) -> PaceBudget {
        PaceBudget(
            perSecond: Double(pace.subscriptionsPerSecond),
            largest: largest,
            quota: .memberships
        )
    }

    private static let usedShare = 0.99
    /// Seconds.
    static let rampLength = 60.0
    /// What may go at once, as seconds of the rate.
    private static let burstLength = 0.25
    /// What a request may take, as seconds of the quota.
    private static let pieceLength = 0.5
    /// The same where FCM has refused: what is refused uses up nothing, so it should be little.
    private static let cautiousLength = 0.05
    /// So many seconds late may a batch be without a loss.
    private static let lateness = 0.02

    /// What goes in the first second.
    var start: Double { min(peak, max(1_000, peak / 10)) }

    /// What may go at the beginning.
    var first: Double { max(1, start * Self.burstLength, piece(found: nil)) }

    /// The rate so many seconds after the beginning.
    func rate(after seconds: Double) -> Double {
        min(peak, start + (peak - start) * max(0, seconds) / Self.rampLength)
    }

    /// What one request may take where the quota is the peak, or what FCM was `found` to take; at
    /// least 1.
    func piece(found: Double?) -> Double {
        let seconds = found == nil ? Self.pieceLength : Self.cautiousLength
        let share = min(peak, found ?? peak) * seconds
        return max(1, min(Double(largest), share.rounded(.down)))
    }

    /// How much may be saved up for one moment at this rate; at least 1.
    func burst(at rate: Double, found: Double?) -> Double {
        let late = largest > 1 ? rate * Self.lateness : 0
        return max(1, rate * Self.burstLength, piece(found: found) + late)
    }
}
