import Planning
import RateControl

/// Requests that wait individually for a retry.
///
/// Waiting requests are on disk as unknown or returned, so losing this queue loses no information.
struct RepeatQueue: Sendable {
    /// The history of a request that was sent before.
    struct Entry: Sendable {
        /// Number of attempts without a final outcome.
        var attempts = 0
        /// Why an earlier attempt has an unknown outcome; nil if FCM is known not to have accepted
        /// it.
        var cause: String?
    }

    /// The result of adding a request to the queue.
    enum Verdict: Hashable, Sendable {
        case waits
        /// It has used all its retries.
        case isUsedUp
        /// Its message expires before the retry.
        case isTooLate
    }

    private struct Turn {
        let due: Duration
        let request: Int
    }

    private let pause: Duration
    /// When the message expires; no retry starts from then on.
    private let expiry: Duration?
    private var entries: [Int: Entry] = [:]
    /// In descending order: the last is next.
    private var turns: [Turn] = []
    private var random: JitterSource
    /// Whether any request ever waited.
    private(set) var wasUsed = false

    /// Creates an empty queue.
    ///
    /// `pause` is the shortest pause before a retry; the message expires at `expiry`.
    init(pause: Duration, expiry: Duration?, seed: UInt64) {
        self.pause = pause
        self.expiry = expiry
        random = JitterSource(seed: seed)
    }

    /// The maximum number of retries per request.
    static let maximumRepeats = 4
    /// No new request is sent while this many wait.
    private static let mostWaiting = 4_096
    /// The first pause of a registration after a 429 of APNs without a time.
    private static let firstSlowdown = Duration.seconds(60)

    var isEmpty: Bool { turns.isEmpty }
    var isFull: Bool { turns.count >= Self.mostWaiting }
    var next: Duration? { turns.last?.due }

    subscript(request: Int) -> Entry? { entries[request] }

    mutating func settle(_ request: Int) { entries[request] = nil }

    /// Queues a request with an unknown outcome.
    ///
    /// The random wait is between one and two times the shortest pause; in later attempts the upper
    /// limit is three, five and nine times. Requests that failed together therefore do not return
    /// together.
    mutating func wait(
        unknown request: Int,
        cause: String,
        now: Duration,
        atLeast delay: Duration?
    ) -> Verdict {
        var entry = entries[request] ?? Entry()
        let spread = pause * (1 << entry.attempts)
        let chance = Double.random(in: 0..<1, using: &random)
        let due = now + max(delay ?? .zero, pause + spread * chance)
        entry.cause = entry.cause ?? cause
        return wait(request, as: entry, until: due)
    }

    /// Queues a request whose device is rate-limited.
    mutating func wait(
        slowed request: Int,
        now: Duration,
        delay: Duration?
    ) -> Verdict {
        let entry = entries[request] ?? Entry()
        let due = now + (delay ?? Self.firstSlowdown * (1 << entry.attempts))
        return wait(request, as: entry, until: due)
    }

    private mutating func wait(
        _ request: Int,
        as entry: Entry,
        until due: Duration
    ) -> Verdict {
        guard entry.attempts < Self.maximumRepeats else { return .isUsedUp }
        if let expiry, due >= expiry { return .isTooLate }
        wasUsed = true
        var entry = entry
        entry.attempts += 1
        entries[request] = entry
        enter(Turn(due: due, request: request))
        return .waits
    }

    /// Returns an unsent request to the queue as the next one.
    mutating func putBack(_ request: Int, now: Duration) {
        enter(Turn(due: now, request: request))
    }

    private mutating func enter(_ turn: Turn) {
        var low = 0
        var high = turns.count
        while low < high {
            let middle = (low + high) / 2
            if turns[middle].due > turn.due { low = middle + 1 } else { high = middle }
        }
        turns.insert(turn, at: low)
    }

    /// Takes the next request that is due.
    ///
    /// An unknown request is taken only if `maySend` is true.
    mutating func takeDue(now: Duration, maySend: Bool) -> Int? {
        guard let turn = turns.last, turn.due <= now else { return nil }
        guard maySend || entries[turn.request]?.cause == nil else { return nil }
        turns.removeLast()
        return turn.request
    }
}
