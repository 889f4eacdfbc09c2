/// The rate that FCM was found to accept, with additive increase and multiplicative decrease.
///
/// In the first minute after a refusal it rises by a tenth of the lowered rate, and in each later
/// minute by twice the previous rise. It stays near a fixed limit and finds a raised limit within
/// minutes.
package struct RateLimit: Hashable, Sendable {
    private var lowered: Double?
    private var loweredAt = 0.0

    private static let step = 0.1
    /// In seconds.
    private static let minute = 60.0
    private static let mostDoublings = 30

    /// Nil if FCM never refused.
    package func rate(at now: Double) -> Double? {
        guard let lowered else { return nil }
        let minutes = max(0, now - loweredAt) / Self.minute
        let whole = min(Int(minutes), Self.mostDoublings)
        let doubled = Double(1 << whole)
        let steps = doubled - 1 + doubled * min(1, minutes - Double(whole))
        return lowered * (1 + Self.step * steps)
    }

    package mutating func lower(to rate: Double, at now: Double) {
        lowered = rate
        loweredAt = now
    }
}

/// Counts of the last seconds, for at most one minute.
package struct RecentCounts: Sendable {
    package let seconds: Int
    private var counts: InlineArray<60, Int> = .init(repeating: 0)
    private var total = 0
    private var newest = 0

    package init(seconds: Int) {
        self.seconds = min(60, max(1, seconds))
    }

    package mutating func add(_ count: Int, at now: Double) {
        advance(to: Int(now))
        counts[newest % seconds] += count
        total += count
    }

    /// Returns the rate per second since `beginning` or over the last seconds; the current second
    /// is incomplete.
    package mutating func rate(at now: Double, since beginning: Double) -> Double {
        advance(to: Int(now))
        let length = Double(seconds - 1) + now - Double(newest)
        return Double(total) / min(length, max(1, now - beginning))
    }

    private mutating func advance(to second: Int) {
        guard second > newest else { return }
        for old in max(newest + 1, second - seconds + 1)...second {
            total -= counts[old % seconds]
            counts[old % seconds] = 0
        }
        newest = second
    }
}
