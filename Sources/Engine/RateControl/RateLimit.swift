/// The rate that FCM was found to accept, with additive increase and multiplicative decrease.
///
/// In the first minute after a refusal it rises by a tenth of the lowered rate, and in each later
/// minute by twice the previous rise. It stays near a fixed limit and finds a raised limit within
/// minutes.
///
/// With a goal, each accepted request raises it, too: it doubles about every 0.1 seconds until it
/// reaches the goal (the slow start of RFC 5681, 3.1).
package struct RateLimit: Hashable, Sendable {
    private var lowered: Double?
    private var loweredAt = 0.0
    /// The rate up to which accepted requests raise the limit; nil if only time raises it.
    private var goal: Double?

    private static let step = 0.1
    /// The requests of this many seconds double the limit if they are accepted.
    private static let doublingLength = 0.1
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

    /// Lowers the limit to a rate that FCM was measured to accept.
    package mutating func lower(to rate: Double, at now: Double) {
        (lowered, loweredAt, goal) = (rate, now, nil)
    }

    /// Lowers the limit until requests are accepted.
    ///
    /// `goal`: the rate up to which they raise it; ignored if the limit has a goal.
    package mutating func lower(to rate: Double, at now: Double, goal: Double) {
        (lowered, loweredAt, self.goal) = (rate, now, self.goal ?? goal)
    }

    /// Raises a limit that has a goal.
    package mutating func accepted(_ count: Int, at now: Double) {
        guard let goal, let rate = rate(at: now) else { return }
        let raised = rate + Double(count) / Self.doublingLength
        (lowered, loweredAt) = (min(raised, goal), now)
        if raised >= goal { self.goal = nil }
    }
}

/// Counts of the last seconds, for at most one minute.
package struct RecentCounts: Sendable {
    package let seconds: Int
    /// The count of each second.
    private var counts: [Int]
    private var total = 0
    private var newest = 0

    package init(seconds: Int) {
        self.seconds = min(60, max(1, seconds))
        counts = Array(repeating: 0, count: self.seconds)
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

    /// The rate per second over the seconds up to the newest count, of which the first may be
    /// without requests.
    package var average: Double { Double(total) / Double(seconds) }

    private mutating func advance(to second: Int) {
        guard second > newest else { return }
        for old in max(newest + 1, second - seconds + 1)...second {
            total -= counts[old % seconds]
            counts[old % seconds] = 0
        }
        newest = second
    }
}
