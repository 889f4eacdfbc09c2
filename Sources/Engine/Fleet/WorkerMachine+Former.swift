// Units that this worker finished, gave back or lost.
extension WorkerMachine {
    /// The number of late answers that one transaction adds.
    private static var lateAnswerLimit: Int { 1_000 }

    mutating func addLateAnswers() -> (FleetTransaction, LedgerWork)? {
        var answers: [LateAnswer] = []
        for index in formers.indices where formers[index].hasLateAnswers {
            let room = Self.lateAnswerLimit - answers.count
            answers += formers[index].addLateAnswers(upTo: room)
        }
        return answers.isEmpty ? nil : (.addLateAnswers(fence, answers), .lateAnswers)
    }

    /// The next part of a restoration; the last part has the units that the worker keeps.
    mutating func restoration(on timeline: Timeline) -> (FleetTransaction, LedgerWork) {
        let fence = WorkerFence(
            worker: id,
            incarnation: incarnation,
            commits: commits,
            timeline: timeline
        )
        let rest = formers.filter { !$0.isRestored }
        let part = rest.prefix(settings.restoredUnits)
        let isLast = part.count == rest.count
        restoring = Set(part.map(\.fence))
        let restored = part.map(\.restored) + (isLast ? units.map(\.restored) : [])
        let work = LedgerWork.restore(timeline, isLast: isLast)
        return (.restore(fence, restored, isLast: isLast), work)
    }
}
