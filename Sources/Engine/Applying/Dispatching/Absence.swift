/// When to try again where the server can't be reached, or says nothing.
struct Absence: Sendable {
    private let backoff: Backoff
    private var failures = 0
    private var silences = 0
    private var tolerated = 0
    private var until: Duration = .zero

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    private static let maximumSilences = 20

    /// Any answer that is about a message.
    mutating func answered() {
        failures = 0
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

    func end(now: Duration) -> Duration? { now < until ? until : nil }
}
