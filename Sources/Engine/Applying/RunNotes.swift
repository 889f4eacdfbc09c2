import CampaignModel
import Memberships
import RunControl
import State

// The history of a run.
extension OccurrenceRecorder {
    /// The maximum number of problems of a kind that are recorded per occurrence.
    private static let kept = 100

    /// Records a run's changes to an occurrence: `tally`, and the problems in the report.
    func note(
        _ report: SendReport,
        as tally: OutcomeTally,
        in run: RunID
    ) async throws(StateStoreError) {
        try await store.record(changes(report, as: tally), in: run)
    }

    /// Records a run's changes to an occurrence that is complete, and closes it.
    func finish(_ report: SendReport, in run: RunID) async throws(StateStoreError) {
        try await store.finish(changes(report, as: report.tally), in: run)
    }

    private func changes(_ report: SendReport, as tally: OutcomeTally) -> RunOccurrence {
        let problems =
            report.rejected.prefix(Self.kept).map { RunProblem($0, as: .rejected) }
            + report.unknown.prefix(Self.kept).map { RunProblem($0, as: .unknown) }
            + report.repeated.prefix(Self.kept).map { RunProblem($0, as: .repeated) }
        return RunOccurrence(
            occurrence: report.occurrence,
            tally: tally,
            repeated: report.repeats,
            capped: report.capped,
            problems: problems
        )
    }

    /// Attributes the changes to an occurrence that no other run recorded to a crashed run.
    func noteCutOff(
        _ occurrence: OccurrenceID,
        unit: WorkUnitRecord,
        in run: RunID
    ) async throws(StateStoreError) {
        var rest = unit.tally
        var repeats = try await store.repeatCount(of: unit.id)
        var capped = unit.capped
        var named: Set<String> = []
        for (other, sending) in try await store.sendings(of: occurrence) where other != run {
            repeats -= sending.repeated
            capped -= sending.capped
            for problem in sending.problems where problem.kind == .repeated {
                if let registration = problem.registration { named.insert(registration) }
            }
            for outcome in Outcome.allCases {
                rest[outcome] = max(0, rest[outcome] - sending.tally[outcome])
            }
        }
        rest[.intended] = unit.tally[.intended] - unit.open
        rest[.returned] = unit.tally[.returned]
        let repeated = repeats > 0 ? try await self.repeated(of: unit) : []
        try await store.record(
            RunOccurrence(
                occurrence: occurrence,
                tally: rest,
                repeated: max(0, repeats),
                capped: max(0, capped),
                problems: repeated.map { RunProblem($0, as: .repeated) }
                    .filter { $0.registration.map(named.contains) != true }
                    .prefix(Self.kept).map(\.self)
            ),
            in: run
        )
    }

    /// The requests of a unit that were retried after an unknown outcome, in order.
    private func repeated(of unit: WorkUnitRecord) async throws(StateStoreError) -> [SendProblem] {
        var found: [RequestOutcome] = []
        var first = 0
        while first < unit.released {
            let range = first..<min(first + PageSize.outcomes, unit.released)
            for (request, detail) in try await store.details(of: unit.id, in: range)
            where OutcomeDetail(text: detail).cause != nil {
                found.append(RequestOutcome(index: request, outcome: .accepted, detail: detail))
            }
            first = range.upperBound
        }
        return try await problems(of: unit, in: found.sorted { $0.index < $1.index })
    }
}

extension RunProblem {
    fileprivate init(_ problem: SendProblem, as kind: Kind) {
        self.init(
            kind: kind,
            registration: problem.fingerprint?.description,
            reason: problem.reason
        )
    }
}

extension Applier {
    /// Records the membership changes of an operation in the run's history, even if it fails.
    ///
    /// `leftUpstream`: how many leaves of the operation messages of the registrations caused.
    func noting(
        _ scope: MembershipScope,
        leftUpstream: Int = 0,
        in run: RunID,
        into result: inout ApplyReport,
        work: (inout ApplyReport) async throws(ApplyError) -> Void
    ) async throws(ApplyError) {
        let before = result.memberships
        let end: Result<Void, ApplyError>
        do throws(ApplyError) {
            end = .success(try await work(&result))
        } catch {
            end = .failure(error)
        }
        let now = result.memberships
        let noted = result.notedMemberships[scope]
        let sum = RunMembership(
            scope: scope,
            joined: (noted?.joined ?? 0) + now.joined - before.joined,
            left: (noted?.left ?? 0) + now.left - before.left,
            refused: (noted?.refused ?? 0) + now.refused.count - before.refused.count,
            leftUpstream: (noted?.leftUpstream ?? 0) + min(leftUpstream, now.left - before.left)
        )
        result.notedMemberships[scope] = sum
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.record(sum, in: run)
        }
        try end.get()
    }
}
