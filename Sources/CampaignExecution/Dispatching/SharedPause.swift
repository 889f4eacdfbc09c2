/// When to try again after what meets every request of a unit alike: a server that is away, or
/// that asks for patience.
struct SharedPause: Sendable {
    private let backoff: Backoff
    private var failures = 0
    private var throttles = 0
    private var silences = 0
    private var tolerated = 0
    private var until: Duration = .zero

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    private static let maximumSilences = 20
    /// So many pauses in a row that FCM asked for, without an answer between them, end the
    /// waiting.
    private static let maximumThrottles = 20
    /// Where FCM names no time: a minute, then twice as long each time (Firebase documentation,
    /// Scaling with FCM), at most an hour.
    private static let firstThrottle = Duration.seconds(60)
    private static let longestThrottle = Duration.seconds(3_600)

    /// Any answer that is about a message.
    mutating func answered() {
        failures = 0
        throttles = 0
        silences = 0
    }

    /// Counts a request of which nothing is known; returns false when it is time to give up, so
    /// that an outage does not use a whole list up.
    ///
    /// What was in the air at the first silence may have met the same end: it does not count.
    mutating func stayedSilent(whileOpen open: Int) -> Bool {
        if silences == 0 { tolerated = open + Self.maximumSilences }
        silences += 1
        return silences < tolerated
    }

    /// Counts a request that could not be written; returns false when it is time to give up.
    ///
    /// What fails during a pause was sent before it, and belongs to the failure that began it.
    mutating func failed(now: Duration) -> Bool {
        guard now >= until else { return true }
        failures += 1
        until = now + backoff.pause(after: failures)
        return failures < Backoff.maximumFailures
    }

    /// Counts an answer that asks for a pause; returns false when it is time to give up.
    mutating func throttled(now: Duration, delay: Duration?) -> Bool {
        if now >= until { throttles += 1 }
        let doubled = Self.firstThrottle * (1 << min(max(0, throttles - 1), 6))
        until = max(until, now + (delay ?? min(doubled, Self.longestThrottle)))
        return throttles < Self.maximumThrottles
    }

    func end(now: Duration) -> Duration? { now < until ? until : nil }
}
