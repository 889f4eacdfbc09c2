/// So many in an interval: all of them may come at once, and room comes back evenly.
package struct RateWindow: Hashable, Sendable {
    /// Milliseconds of the interval that are taken, times the limit.
    package private(set) var used: Int64 = 0
    package private(set) var asOf = DeliveryMoment(milliseconds: 0)

    init() {}

    package init(used: Int64, asOf: DeliveryMoment) {
        self.used = used
        self.asOf = asOf
    }

    /// Whether `count` more stay within `limit` in `interval` milliseconds.
    ///
    /// More than the limit at once are let through when nothing is taken: otherwise they could
    /// never come.
    func hasRoom(
        for count: Int,
        limit: Int,
        interval: Int64,
        at now: DeliveryMoment
    ) -> Bool {
        let taken = used(limit: limit, at: now)
        return taken == 0 || taken + Int64(count) * interval <= Int64(limit) * interval
    }

    /// From when on there is room for one more.
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
        // A day is longer than any interval, and keeps the product small.
        return max(0, used - min(passed, 86_400_000) * Int64(limit))
    }
}
