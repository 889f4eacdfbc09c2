/// What is recorded about one attempt to send a request; a greater value replaces a smaller one.
package enum AttemptOutcome: UInt8, Hashable, Comparable, Sendable {
    /// It may have been sent, and there is no answer.
    case released = 1
    /// FCM's decision cannot be determined, unless its answer arrives late.
    case unknown
    /// It did not leave the process.
    case returned
    /// FCM did not take it, and it may be repeated: 429 or 5xx.
    case refused
    case rejected
    case accepted

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Whether the attempt is over and the request was not delivered, so that it is sent again.
    package var isRepeatable: Bool { self == .returned || self == .refused }
}

/// A row of the outcome log.
package struct AttemptRecord: Hashable, Sendable {
    /// The request, counted from the first one of its unit.
    package let request: Int
    /// 1 for the first attempt, which the mark releases.
    package let attempt: Int
    package let outcome: AttemptOutcome

    package init(_ outcome: AttemptOutcome, of request: Int, attempt: Int) {
        self.request = request
        self.attempt = attempt
        self.outcome = outcome
    }
}

/// Every attempt of each request of a unit.
///
/// Histories of the same unit can be merged in any order and any number of times: for each attempt, the
/// greatest outcome counts. A recorded answer therefore replaces `unknown`, whichever arrives first.
package struct UnitHistory: Hashable, Sendable {
    /// The outcome of the first attempt of each request; 0 if it is not released.
    private var firsts: [UInt8]
    /// The outcomes of the attempts after the first one.
    private var repeats: [Int: [AttemptOutcome]] = [:]

    package init(count: Int) { firsts = Array(repeating: 0, count: count) }

    /// The number of attempts that were released.
    package func attempts(of request: Int) -> Int {
        firsts[request] == 0 ? 0 : 1 + (repeats[request]?.count ?? 0)
    }

    /// The outcome of the last attempt; nil if none was released.
    package func last(of request: Int) -> AttemptOutcome? {
        repeats[request]?.last ?? AttemptOutcome(rawValue: firsts[request])
    }

    /// Adds what is recorded about one attempt; attempts before it were released.
    package mutating func merge(_ record: AttemptRecord) {
        if record.attempt == 1 {
            firsts[record.request] = max(firsts[record.request], record.outcome.rawValue)
            return
        }
        firsts[record.request] = max(firsts[record.request], AttemptOutcome.released.rawValue)
        var later = repeats[record.request] ?? []
        while later.count < record.attempt - 1 { later.append(.released) }
        later[record.attempt - 2] = max(later[record.attempt - 2], record.outcome)
        repeats[record.request] = later
    }

    /// Every attempt that was released, in the order of requests and attempts.
    package var records: [AttemptRecord] {
        var all: [AttemptRecord] = []
        for (request, byte) in firsts.enumerated() {
            guard let first = AttemptOutcome(rawValue: byte) else { continue }
            all.append(AttemptRecord(first, of: request, attempt: 1))
            for (index, outcome) in (repeats[request] ?? []).enumerated() {
                all.append(AttemptRecord(outcome, of: request, attempt: index + 2))
            }
        }
        return all
    }
}
