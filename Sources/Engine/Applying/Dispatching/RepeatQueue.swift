import Planning

/// Requests that wait, each for itself, to be sent once more.
///
/// What waits is on disk as unknown or as returned: losing this queue loses no truth.
struct RepeatQueue: Sendable {
    /// What is known of a request that was sent before.
    struct Entry: Sendable {
        /// How often it was sent without an outcome that is final.
        var attempts = 0
        /// Why nobody can say whether FCM took it at an earlier attempt; nil where it is known
        /// that FCM did not.
        var cause: String?
    }

    /// What becomes of a request that is to wait.
    enum Verdict: Hashable, Sendable {
        case waits
        /// It was repeated often enough.
        case isUsedUp
        /// Its message is worth nothing by then.
        case isTooLate
    }

    private struct Turn {
        let due: Duration
        let request: Int
    }

    private let pause: Duration
    private var entries: [Int: Entry] = [:]
    /// Falling: the last is the next.
    private var turns: [Turn] = []
    private var random: JitterSource
    /// Whether anything ever waited.
    private(set) var wasUsed = false

    /// `pause`: the shortest before a repeat.
    init(pause: Duration, seed: UInt64) {
        self.pause = pause
        random = JitterSource(seed: seed)
    }

    /// A request is repeated so often at most.
    static let maximumRepeats = 4
    /// When so many wait, nothing new is sent until one of them is settled.
    private static let mostWaiting = 4_096
    /// Where a device's service names no time.
    private static let firstSlowdown = Duration.seconds(60)

    var isEmpty: Bool { turns.isEmpty }
    var isFull: Bool { turns.count >= Self.mostWaiting }
    var next: Duration? { turns.last?.due }

    subscript(request: Int) -> Entry? { entries[request] }

    mutating func settle(_ request: Int) { entries[request] = nil }

    /// Lets a request wait of which nobody knows whether FCM took it.
    ///
    /// The wait is at least the shortest, and between that and twice as much, then three times,
    /// five times, nine times as much by chance, so that what failed together does not come back
    /// together.
    mutating func wait(
        unknown request: Int,
        _ cause: String,
        now: Duration,
        atLeast delay: Duration?,
        before end: Duration?
    ) -> Verdict {
        var entry = entries[request] ?? Entry()
        let spread = pause * (1 << entry.attempts)
        let chance = Double.random(in: 0..<1, using: &random)
        let due = now + max(delay ?? .zero, pause + spread * chance)
        entry.cause = entry.cause ?? cause
        return wait(request, entry, until: due, before: end)
    }

    /// Lets a request wait whose device is served too often.
    mutating func wait(
        slowed request: Int,
        now: Duration,
        delay: Duration?,
        before end: Duration?
    ) -> Verdict {
        let entry = entries[request] ?? Entry()
        let due = now + (delay ?? Self.firstSlowdown * (1 << entry.attempts))
        return wait(request, entry, until: due, before: end)
    }

    private mutating func wait(
        _ request: Int,
        _ entry: Entry,
        until due: Duration,
        before end: Duration?
    ) -> Verdict {
        guard entry.attempts < Self.maximumRepeats else { return .isUsedUp }
        if let end, due >= end { return .isTooLate }
        wasUsed = true
        var entry = entry
        entry.attempts += 1
        entries[request] = entry
        enter(Turn(due: due, request: request))
        return .waits
    }

    /// Gives a request its turn back, which was not sent: it is the next.
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

    /// Takes the next request whose time has come.
    ///
    /// One that is unknown is taken only where it `maySend` at once.
    mutating func takeDue(now: Duration, maySend: Bool) -> Int? {
        guard let turn = turns.last, turn.due <= now else { return nil }
        guard maySend || entries[turn.request]?.cause == nil else { return nil }
        turns.removeLast()
        return turn.request
    }
}
