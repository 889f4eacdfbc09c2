import Fleet

/// The row of an occurrence in the fleet, and the record of its requests.
struct OccurrenceRow: Sendable {
    enum State: Sendable {
        case planned
        case stored
        case open
        /// The fleet has nothing of it.
        case left
    }

    /// What the record has about a request.
    enum Outcome: Sendable {
        case returned
        case unknown
        case rejected
        case accepted
        /// The service left it out when it entrusted the occurrence again, at this time.
        case suppressed(at: Int)
    }

    var uncut: UncutOccurrence
    /// The requests that it leaves out, in order.
    var omitted: [Int]
    var state = State.planned
    var isHeld = false
    /// Whether workers give its units back.
    var isRecalled = false
    /// When workers give its units back without a recall, by the server's clock in nanoseconds.
    var until: Int?
    /// What was collected.
    var record: [Int: Outcome] = [:]

    init(uncut: UncutOccurrence, omitted: [Int]) {
        self.uncut = uncut
        self.omitted = omitted
    }

    /// The requests that can be entrusted again, in order.
    var returned: [Int] {
        record.compactMap { if case .returned = $0.value { $0.key } else { nil } }.sorted()
    }

    /// Whether the service has nothing more to do with it.
    var isSettled: Bool { state == .left && (isHeld || returned.isEmpty) }

    /// Whether the writer has to divide it.
    var isUncut: Bool { state == .planned || state == .stored }
}

extension OccurrenceRow.Outcome {
    /// What is recorded about a request whose last attempt has this outcome; nil if it was not released.
    init(_ last: AttemptOutcome?) {
        switch last {
        case .accepted: self = .accepted
        case .rejected: self = .rejected
        case .unknown, .released: self = .unknown
        case .returned, .refused, nil: self = .returned
        }
    }
}
