package import CampaignModel

/// The usable part of one quota, and its ramp-up.
///
/// The rate starts at what was sustained in the last ten minutes, otherwise at a tenth of the peak
/// or at 1,000 per second if that is more, which FCM does not treat as a spike. It reaches the peak
/// after 60 seconds (Firebase documentation, Scaling with FCM: from zero to the peak in no less than
/// 60 seconds).
package struct PaceBudget: Hashable, Sendable {
    /// The target rate per second, one percent below the quota, because requests that leave evenly
    /// do not arrive evenly.
    package let peak: Double
    /// The largest cost of one request: 1, or the registrations of a batch.
    package let largest: Int
    /// How FCM counts the quota, and which pauses it requires.
    package let quota: Quota
    /// A rate per second that FCM accepted shortly before; 0 if none is known.
    private var sustained = 0.0

    /// `perSecond`: the quota, in messages or registrations.
    package init(perSecond: Double, largest: Int = 1, quota: Quota = .messages) {
        peak = max(perSecond, 1.0 / 60) * Self.usedShare
        self.largest = max(1, largest)
        self.quota = quota
    }

    package enum Quota: Sendable {
        /// A quota per minute (Firebase documentation, Throttling and quotas).
        case messages
        /// A quota per second (Firebase documentation, Throttling and quotas).
        case memberships

        /// Seconds over which accepted requests are measured; several for a quota per second,
        /// because a batch arrives at once.
        package var measured: Int { self == .messages ? 60 : 5 }

        /// Whether requests before a pause count towards the same quota as requests after it.
        package var measuresAcrossPauses: Bool { self == .messages }

        /// The first pause after a 429 without `Retry-After`.
        ///
        /// For messages it is a minute (Firebase documentation, Scaling with FCM). For membership
        /// changes FCM requires only exponential backoff.
        package var firstPause: Duration { self == .messages ? .seconds(60) : .seconds(1) }

        /// The longest pause that refusals with a shorter `Retry-After` lead to.
        package var longestShortPause: Duration { self == .messages ? .seconds(30) : .seconds(4) }

        /// The random part of a pause, as a share of its length.
        package var spread: Double { self == .messages ? 0.1 : 1 }
    }

    /// Returns the budget of sends.
    package static func sends(_ pace: Pace) -> PaceBudget {
        PaceBudget(perSecond: Double(pace.sendsPerMinute) / 60)
    }

    /// Returns the budget of membership changes, counted in registrations; a batch has 1,000.
    package static func memberships(_ pace: Pace, largest: Int = 1_000) -> PaceBudget {
        PaceBudget(
            perSecond: Double(pace.subscriptionsPerSecond),
            largest: largest,
            quota: .memberships
        )
    }

    private static let usedShare = 0.99
    /// In seconds.
    package static let rampLength = 60.0
    /// The burst, in seconds of the rate.
    private static let burstLength = 0.25
    /// The largest request, in seconds of the quota.
    private static let pieceLength = 0.5
    /// The same after a refusal; it is smaller, because refused requests make no progress.
    private static let cautiousLength = 0.05
    /// The number of seconds that a batch may be late without a loss of rate.
    private static let lateness = 0.02

    /// The same budget after a rate that FCM accepted at most `memory` before; nil if there is none.
    package func after(_ sustained: Double?) -> PaceBudget {
        var budget = self
        budget.sustained = sustained ?? 0
        return budget
    }

    /// How long a sustained rate is a safe start.
    package static let memory = Duration.seconds(600)

    /// The rate in the first second.
    package var start: Double { min(peak, max(1_000, peak / 10, sustained)) }

    /// The budget at the start.
    package var first: Double { max(1, start * Self.burstLength, piece(found: nil)) }

    /// Returns the time until the rate reaches `rate`, at most the peak.
    package func rise(to rate: Double) -> Duration {
        guard peak > start else { return .zero }
        return .seconds(max(0, rate - start) / (peak - start) * Self.rampLength)
    }

    /// Returns the rate this many seconds after the start.
    package func rate(after seconds: Double) -> Double {
        min(peak, start + (peak - start) * max(0, seconds) / Self.rampLength)
    }

    /// Returns the largest cost of one request at the peak, or at the rate that FCM was `found` to
    /// accept; at least 1.
    package func piece(found: Double?) -> Double {
        let seconds = found == nil ? Self.pieceLength : Self.cautiousLength
        let share = min(peak, found ?? peak) * seconds
        return max(1, min(Double(largest), share.rounded(.down)))
    }

    /// Returns the largest burst at this rate; at least 1.
    package func burst(at rate: Double, found: Double?) -> Double {
        let late = largest > 1 ? rate * Self.lateness : 0
        return max(1, rate * Self.burstLength, piece(found: found) + late)
    }
}
