/// A unit that this worker finished, gave back or lost.
///
/// It is remembered until a standby has the last commit about it, because a failover may lose that
/// commit, and until its open requests are answered.
struct FormerUnit: Sendable {
    let restored: RestoredUnit
    /// The attempts without an answer, by request.
    private(set) var open: [Int: Int]
    private(set) var position: LogPosition

    init(
        _ unit: OwnedUnit,
        holding: RestoredUnit.Holding,
        at position: LogPosition
    ) {
        restored = unit.restored(holding)
        open = unit.open
        self.position = position
    }

    /// Returns what to record about a late answer; nil if it decides nothing.
    mutating func receive(_ result: SendResult) -> LateAnswer? {
        guard open[result.request] == result.attempt else { return nil }
        open[result.request] = nil
        let outcome = AttemptOutcome(result.answer)
        guard outcome == .accepted || outcome == .rejected else { return nil }
        let record = AttemptRecord(outcome, of: result.request, attempt: result.attempt)
        return LateAnswer(record, of: result.unit)
    }

    mutating func restored(at position: LogPosition) { self.position = position }
}

extension OwnedUnit {
    /// What a failover may have lost.
    ///
    /// Answers that no commit has recorded are included if they decide something even after another
    /// worker has made the request unknown.
    func restored(_ holding: RestoredUnit.Holding) -> RestoredUnit {
        var records = history.records
        if holding == .abandoned {
            records += unrecorded.filter { $0.outcome == .accepted || $0.outcome == .rejected }
        }
        return RestoredUnit(
            unit.id,
            fence: fence,
            mark: mark,
            records: records,
            unanswered: holding == .owned ? outstanding : 0,
            holding: holding
        )
    }
}
