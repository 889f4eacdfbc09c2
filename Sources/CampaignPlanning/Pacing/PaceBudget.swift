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

    /// `perSecond`: the quota, in messages or registrations.
    package init(perSecond: Double, largest: Int = 1) {
        peak = max(perSecond, 1.0 / 60) * Self.usedShare
        self.largest = max(1, largest)
    }

    /// Of sends.
    package static func sends(_ pace: Pace) -> PaceBudget {
        PaceBudget(perSecond: Double(pace.sendsPerMinute) / 60)
    }

    /// Of membership changes, counted in registrations, 1,000 of which make a request.
    package static func memberships(_ pace: Pace) -> PaceBudget {
        PaceBudget(perSecond: Double(pace.subscriptionsPerSecond), largest: 1_000)
    }

    private static let usedShare = 0.99
    /// Seconds.
    static let rampLength = 60.0
    /// What may go at once, as seconds of the rate.
    private static let burstLength = 0.25

    /// What goes in the first second.
    var start: Double { min(peak, max(1_000, peak / 10)) }

    /// The rate so many seconds after the beginning.
    func rate(after seconds: Double) -> Double {
        min(peak, start + (peak - start) * max(0, seconds) / Self.rampLength)
    }

    /// How much may be saved up for one moment at this rate; at least 1.
    func burst(at rate: Double) -> Double {
        max(1, rate * Self.burstLength, min(Double(largest), rate))
    }
}
