import RateControl

/// Detects too many server errors and then pauses the send, so that an outage does not leave many
/// requests with unknown outcomes.
///
/// A pause starts if more than 5 % of the answers of ten seconds, and at least 20 answers, are 5xx.
/// After the pause, one request is open, and every answer other than 5xx allows one more. If the
/// first request after a pause fails, the next pause is twice as long.
struct ServerErrorBreaker: Sendable {
    private let pause: Duration
    private let maximumOpen: Int
    /// With this many open requests, the outage is over.
    private let steadyOpen: Int
    private var window = AnswerWindow()
    private var allowance: Int
    private var pauses = 0
    private var until: Duration = .zero

    /// `pause`: the length of the first pause.
    init(pause: Duration, maximumOpen: Int, steadyOpen: Int) {
        self.pause = pause
        self.maximumOpen = maximumOpen
        self.steadyOpen = steadyOpen
        allowance = maximumOpen
    }

    private static let fewestAnswers = 20
    /// One in this many is 5 %.
    private static let tolerated = 20

    /// Number of requests that may be open now.
    var mayBeOpen: Int { allowance }

    /// Ignores answers during a pause, because they belong to earlier requests.
    mutating func answered(now: Duration) {
        guard now >= until else { return }
        window.count(isFailure: false, now: now)
        if allowance < maximumOpen { allowance += 1 }
        if allowance >= steadyOpen { pauses = 0 }
    }

    /// Returns false when it is time to give up.
    mutating func failed(now: Duration) -> Bool {
        guard now >= until else { return true }
        window.count(isFailure: true, now: now)
        guard isProbeOnly || isTooMuch else { return true }
        pauses += 1
        until = now + pause * (1 << (pauses - 1))
        allowance = 1
        window = AnswerWindow()
        return pauses < Backoff.maximumFailures
    }

    func end(now: Duration) -> Duration? { now < until ? until : nil }

    /// Whether all answers since the pause were failures.
    private var isProbeOnly: Bool { pauses > 0 && window.answers == window.failures }

    private var isTooMuch: Bool {
        window.answers >= Self.fewestAnswers && window.failures * Self.tolerated > window.answers
    }
}

/// The answers of the last ten seconds, per second.
private struct AnswerWindow: Sendable {
    private(set) var answers = 0
    private(set) var failures = 0
    private var seconds: InlineArray<10, Second> = .init(repeating: Second())
    private var newest: Int64 = 0

    private struct Second: Sendable {
        var answers = 0
        var failures = 0
    }

    mutating func count(isFailure: Bool, now: Duration) {
        advance(to: now.components.seconds)
        let slot = Int(newest % 10)
        answers += 1
        seconds[slot].answers += 1
        guard isFailure else { return }
        failures += 1
        seconds[slot].failures += 1
    }

    private mutating func advance(to second: Int64) {
        guard second > newest else { return }
        for old in max(newest + 1, second - 9)...second {
            let slot = Int(old % 10)
            answers -= seconds[slot].answers
            failures -= seconds[slot].failures
            seconds[slot] = Second()
        }
        newest = second
    }
}
