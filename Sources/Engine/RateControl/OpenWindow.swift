/// How many requests of a run may be open.
package struct OpenLimit: Hashable, Sendable {
    /// The number of open requests before an answer shows how long answers take.
    package let start: Int
    /// The largest number of open requests.
    package let most: Int
    /// The largest number of requests that may have been sent and have no recorded outcome.
    package let unknown: Int

    /// A fixed number of open requests.
    package init(fixed open: Int) {
        start = max(1, open)
        most = start
        unknown = 2 * start
    }

    /// As many open requests as the rate and the time of an answer require.
    ///
    /// An eighth of `unknown` is for requests that are recorded as released before they are sent.
    package init(unknown: Int) {
        self.unknown = max(2, unknown)
        most = self.unknown - max(1, self.unknown / 8)
        start = min(most, Self.standardStart)
    }

    package static let standardStart = 64

    /// The same limit with at most `count` open requests.
    package func limited(to count: Int) -> OpenLimit {
        count < most ? OpenLimit(start: min(start, count), most: count, unknown: unknown) : self
    }

    /// The same limit with at most `count` open requests before an answer shows how long answers
    /// take; a fixed number is at most `count`.
    package func starting(at count: Int) -> OpenLimit {
        guard start < most else { return limited(to: count) }
        return OpenLimit(start: min(start, count), most: most, unknown: unknown)
    }

    /// The highest rate per second that the open requests allow if an answer takes `roundTrip`.
    package func highestRate(roundTrip: Duration) -> Double {
        Double(most) / max(roundTrip / .seconds(1), 0.000_1)
    }

    private init(start: Int, most: Int, unknown: Int) {
        self.start = start
        self.most = most
        self.unknown = unknown
    }
}

/// Decides from the answers how many requests may be open.
///
/// By Little's law, a rate keeps as many requests open as it sends in the time of an answer. Twice
/// that many are allowed, because answers do not arrive evenly. The time is the shortest of the last
/// seconds: a longer one may be caused by the open requests themselves.
package struct OpenWindow: Sendable {
    package let limit: OpenLimit
    /// The shortest times of the current and of the previous interval.
    private var shortest: (current: Duration?, previous: Duration?) = (nil, nil)
    private var intervalEnd: Duration = .zero

    /// The length of an interval.
    private static let interval = Duration.seconds(10)
    private static let headroom = 2.0

    package init(_ limit: OpenLimit) {
        self.limit = limit
    }

    /// The shortest time of an answer in the last 10 to 20 seconds; nil before the first.
    package var roundTrip: Duration? {
        guard let current = shortest.current else { return shortest.previous }
        return min(current, shortest.previous ?? current)
    }

    /// Counts an answer to a request that was sent `time` earlier.
    package mutating func answered(after time: Duration, now: Duration) {
        if now >= intervalEnd {
            shortest = (nil, shortest.current)
            intervalEnd = now + Self.interval
        }
        shortest.current = min(shortest.current ?? time, time)
    }

    /// Returns the number of requests that may be open at a rate per second.
    package func size(at rate: Double) -> Int {
        guard limit.start < limit.most, let roundTrip else { return limit.start }
        let needed = rate * (roundTrip / .seconds(1)) * Self.headroom
        return min(limit.most, max(limit.start, Int(needed.rounded(.up))))
    }
}
