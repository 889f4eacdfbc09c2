import CampaignModel
package import RegistrationLists
package import State

/// Reads the ledger, and resolves requests that a crash left open.
package struct Ledger: Sendable {
    let store: any StateStore
    let fingerprinter: Fingerprinter

    /// Number of outcomes per read: one block of the store.
    static let stride = 4_096
    /// The most problems of a kind in a report.
    private static let listed = 1_000

    package init(store: any StateStore, fingerprinter: Fingerprinter) {
        self.store = store
        self.fingerprinter = fingerprinter
    }

    /// Marks every released request without an outcome as unknown.
    ///
    /// The caller holds the write lock, so no other process waits for answers to these requests.
    ///
    /// - Returns: The interrupted occurrences, with their new unknown outcomes.
    package func settleAfterCrash(by worker: Worker) throws(StateStoreError) -> [SendReport] {
        let cutOff = try store.appliedState().occurrences.values
            .filter { $0.status == .dispatching && ($0.unit?.open ?? 0) > 0 }
            .sorted { $0.id < $1.id }
        guard !cutOff.isEmpty else { return [] }
        let dead = try store.runs(limit: 1).first { $0.status == .running }
        let run = try store.beginRun(worker)
        var reports: [SendReport] = []
        var tally = OutcomeTally()
        for record in cutOff {
            guard let unit = record.unit else { continue }
            if let dead { try noteCutOff(record.id, unit, in: dead.id) }
            let open = try settle(unit)
            let report = try report(on: record.id, unit, of: open)
            var settled = OutcomeTally()
            settled[.unknown] = report.tally[.unknown]
            try note(report, as: settled, in: run)
            tally = tally + settled
            reports.append(report)
        }
        let cause = "an earlier run was cut off"
        try store.finishRun(run, status: .complete, tally: tally, cause: cause, at: worker.since)
        return reports
    }

    /// Returns the requests that are now unknown.
    private func settle(_ unit: WorkUnitRecord) throws(StateStoreError) -> RequestRanges {
        var settled = RequestRanges([])
        try scan(unit, below: unit.released) { range, outcomes throws(StateStoreError) in
            let open = range.filter { outcomes[$0 - range.lowerBound] == .intended }
            guard !open.isEmpty else { return }
            for number in open { settled.append(number) }
            try store.record(
                open.map { RequestOutcome(index: $0, outcome: .unknown, detail: "cut off") },
                released: nil,
                of: unit.id
            )
        }
        return settled
    }

    /// Returns the requests that may be sent: never released, or known not to have been sent.
    func intended(of unit: WorkUnitRecord) throws(StateStoreError) -> RequestRanges {
        var rest = RequestRanges([])
        try scan(unit, below: unit.count) { range, outcomes throws(StateStoreError) in
            for number in range {
                let outcome = outcomes[number - range.lowerBound]
                if unit.maySend(number, outcome) { rest.append(number) }
            }
        }
        return rest
    }

    /// Returns the result of an occurrence since it was opened.
    func report(
        on sending: ActiveOccurrence,
        _ dispatched: DispatchResult?
    ) throws(StateStoreError) -> SendReport {
        var report = try report(on: sending.occurrence, sending.unit, of: sending.requests)
        guard let dispatched else { return report }
        report.repeats = dispatched.repeatedCount
        report.repeated = try problems(of: sending.unit, dispatched.repeated)
        return report
    }

    /// Returns the result of a work unit since it was read as `unit`; only `requests` have changed
    /// since then.
    func report(
        on occurrence: OccurrenceID,
        _ unit: WorkUnitRecord,
        of requests: RequestRanges
    ) throws(StateStoreError) -> SendReport {
        let current = try store.appliedState().occurrences[occurrence]?.unit ?? unit
        var tally = current.tally
        tally[.unknown] += current.open
        tally[.intended] -= current.open
        for outcome in [Outcome.accepted, .rejected, .unknown, .expired, .suppressed, .cancelled] {
            tally[outcome] -= unit.tally[outcome]
        }
        return SendReport(
            occurrence: occurrence,
            target: unit.target,
            tally: tally,
            rejected: try problems(of: unit, .rejected, among: requests),
            unknown: try problems(of: unit, .unknown, among: requests)
        )
    }

    private func problems(
        of unit: WorkUnitRecord,
        _ outcome: Outcome,
        among changed: RequestRanges
    ) throws(StateStoreError) -> [SendProblem] {
        // Earlier problems are counted in `unit`, so they leave room for new ones.
        let limit = unit.tally[outcome] + Self.listed
        let requests = try store.requests(of: unit.id, with: outcome, limit: limit)
        let new = requests.filter { changed.contains($0.index) }.prefix(Self.listed)
        return try problems(of: unit, Array(new))
    }

    private func problems(
        of unit: WorkUnitRecord,
        _ requests: [RequestOutcome]
    ) throws(StateStoreError) -> [SendProblem] {
        var window: ListWindow?
        if case .registrations(let list) = unit.target {
            window = ListWindow(store: store, list: list)
        }
        var problems: [SendProblem] = []
        for request in requests {
            let registration = try window?.registration(request.index)
            let fingerprint = registration.map(fingerprinter.fingerprint)
            problems.append(
                SendProblem(fingerprint: fingerprint, reason: request.detail ?? "")
            )
        }
        return problems
    }

    private func scan(
        _ unit: WorkUnitRecord,
        below end: Int,
        _ visit: (Range<Int>, [Outcome]) throws(StateStoreError) -> Void
    ) throws(StateStoreError) {
        var first = 0
        while first < end {
            let range = first..<min(first + Self.stride, end)
            try visit(range, try store.outcomes(of: unit.id, in: range))
            first = range.upperBound
        }
    }
}
