import RateControl

/// Decides when to retry if the server is unreachable or silent.
struct UnreachableBackoff: Sendable {
    private let backoff: Backoff
    private var failures = 0
    private var silences = 0
    private var tolerated = 0
    private var until: Duration = .zero

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    private static let maximumSilences = 20

    /// Records any answer about a message.
    mutating func answered() {
        failures = 0
        silences = 0
    }

    /// Counts a request with an unknown outcome; returns false when it is time to give up, so that
    /// an outage does not consume a whole list.
    ///
    /// Requests that were open at the first failure may have failed for the same reason and do not
    /// count.
    mutating func stayedSilent(whileOpen open: Int) -> Bool {
        if silences == 0 { tolerated = open + Self.maximumSilences }
        silences += 1
        return silences < tolerated
    }

    /// Counts a request that could not be written; returns false when it is time to give up.
    ///
    /// Failures during a pause belong to the failure that started it, because they were sent before
    /// it.
    mutating func failed(now: Duration) -> Bool {
        guard now >= until else { return true }
        failures += 1
        until = now + backoff.pause(after: failures)
        return failures < Backoff.maximumFailures
    }

    func end(now: Duration) -> Duration? { now < until ? until : nil }
}
