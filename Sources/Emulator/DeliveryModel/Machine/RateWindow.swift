/// A rate limit: the whole limit may be used at once, and capacity returns evenly over the
/// interval.
package struct RateWindow: Hashable, Sendable {
    /// The used part of the interval in milliseconds, times the limit.
    package private(set) var used: Int64 = 0
    package private(set) var asOf = DeliveryMoment(milliseconds: 0)

    init() {}

    package init(used: Int64, asOf: DeliveryMoment) {
        self.used = used
        self.asOf = asOf
    }

    /// Returns whether `count` more stay within `limit` per `interval` milliseconds.
    ///
    /// An unused window accepts more than the limit at once, because such a batch could otherwise
    /// never pass.
    func hasRoom(
        for count: Int,
        limit: Int,
        interval: Int64,
        at now: DeliveryMoment
    ) -> Bool {
        let taken = used(limit: limit, at: now)
        return taken == 0 || taken + Int64(count) * interval <= Int64(limit) * interval
    }

    /// Returns the earliest time at which there is room for one more.
    func room(limit: Int, interval: Int64, from now: DeliveryMoment) -> DeliveryMoment {
        let excess = used(limit: limit, at: now) + interval - Int64(limit) * interval
        guard excess > 0 else { return now }
        let wait = (excess + Int64(limit) - 1) / Int64(limit)
        return DeliveryMoment(milliseconds: now.milliseconds + wait)
    }

    mutating func take(_ count: Int, limit: Int, interval: Int64, at now: DeliveryMoment) {
        used = used(limit: limit, at: now) + Int64(count) * interval
        asOf = now
    }

    private func used(limit: Int, at now: DeliveryMoment) -> Int64 {
        let passed = max(0, now.milliseconds - asOf.milliseconds)
        // A day exceeds every interval, and the cap keeps the product small.
        return max(0, used - min(passed, 86_400_000) * Int64(limit))
    }
}
