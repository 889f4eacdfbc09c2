/// A unit that this worker finished, gave back or lost.
///
/// It is remembered until a standby has the last commit about it, because a failover may lose that
/// commit, and until its open requests are answered and the answers are recorded.
struct FormerUnit: Sendable {
    let unit: WorkUnitID
    let fence: ClaimFence
    private var holding: RestoredUnit.Holding
    let mark: Int
    private var history: UnitHistory
    /// The attempts without an answer, by request.
    private var open: [Int: Int]
    /// Answers that no commit has added; the first ones are being added.
    private var late: [AttemptRecord] = []
    /// The number of answers that are being added.
    private var adding = 0
    private var position: LogPosition
    /// Whether the present restoration has it.
    private(set) var isRestored = false

    /// Answers that no commit has recorded are kept if they decide something even after another
    /// worker has made the request unknown.
    init(_ owned: OwnedUnit, holding: RestoredUnit.Holding, at position: LogPosition) {
        unit = owned.unit.id
        fence = owned.fence
        self.holding = holding
        mark = owned.mark
        history = owned.history
        open = owned.open
        self.position = position
        for record in owned.unrecorded where record.outcome.decides {
            history.merge(record)
            // An abandoned unit is restored, with these answers.
            if holding != .abandoned { late.append(record) }
        }
    }

    /// Whether its requests are named if another worker has claimed it.
    var isAbandoned: Bool { holding == .abandoned }

    var openCount: Int { open.count }

    var hasLateAnswers: Bool { !late.isEmpty }

    /// Whether nothing about it can be lost any more, if a standby has a position.
    func isDurable(at safe: LogPosition) -> Bool {
        open.isEmpty && late.isEmpty && position <= safe
    }

    /// What a failover may have lost.
    var restored: RestoredUnit {
        RestoredUnit(
            unit,
            fence: fence,
            mark: mark,
            records: history.records,
            unanswered: 0,
            holding: holding
        )
    }

    /// Takes the answer to an open request.
    mutating func receive(_ result: SendResult) {
        guard open[result.request] == result.attempt else { return }
        open[result.request] = nil
        let outcome = AttemptOutcome(result.answer)
        guard outcome.decides else { return }
        let record = AttemptRecord(outcome, of: result.request, attempt: result.attempt)
        history.merge(record)
        late.append(record)
    }

    /// Takes at most `count` answers to add.
    mutating func addLateAnswers(upTo count: Int) -> [LateAnswer] {
        adding = min(count, late.count)
        return late.prefix(adding).map { LateAnswer($0, of: unit) }
    }

    mutating func addedLateAnswers(at position: LogPosition) {
        guard adding > 0 else { return }
        late.removeFirst(adding)
        adding = 0
        self.position = position
    }

    /// Notes that this worker has claimed it again, and names its requests with the new claim.
    mutating func reclaim() { if isAbandoned { holding = .former } }

    /// Notes that a part of the present restoration has it; false when another restoration begins.
    mutating func note(isRestored: Bool) { self.isRestored = isRestored }

    mutating func restored(at position: LogPosition) {
        self.position = position
        isRestored = false
    }
}

extension AttemptOutcome {
    /// Whether it replaces `unknown` even after the unit was taken over.
    var decides: Bool { self == .accepted || self == .rejected }
}

extension OwnedUnit {
    /// What a failover may have lost of a unit that this worker keeps.
    var restored: RestoredUnit {
        RestoredUnit(
            unit.id,
            fence: fence,
            mark: mark,
            records: history.records,
            unanswered: outstanding,
            holding: .owned
        )
    }
}
