import CampaignModel
package import RegistrationLists
package import RunControl
import Sending
package import State

/// Reports what happened to the requests of occurrences, and resolves those that a crash or a person
/// left open.
package struct OccurrenceRecorder: Sendable {
    let store: any StateReader & Ledger & HistoryStore & ControlStore
    let fingerprinter: Fingerprinter

    /// The maximum number of problems of a kind in a report.
    private static let listed = 1_000

    package init(
        store: any StateReader & Ledger & HistoryStore & ControlStore,
        fingerprinter: Fingerprinter
    ) {
        self.store = store
        self.fingerprinter = fingerprinter
    }

    /// Marks every released request as unknown that may have been sent and has no outcome.
    ///
    /// Notes of the process that was killed show which requests were not sent, and the answers that
    /// it had read.
    ///
    /// The caller holds the write lock, so no other process waits for answers to these requests.
    ///
    /// `adoptsFleet`: what a former service entrusted to a fleet is left there, for `takeBack(except:)`.
    ///
    /// - Returns: The interrupted occurrences, with their new unknown outcomes.
    package func settleAfterCrash(
        by worker: Worker,
        adoptsFleet: Bool = false
    ) async throws(StateStoreError) -> [SendReport] {
        if !adoptsFleet { _ = try await takeBack() }
        var notes: [UnitID: [Int: FlightRecord]] = [:]
        var cutOff: [OccurrenceRecord] = []
        for record in try await store.occurrences(.dispatching) {
            guard let unit = record.unit else { continue }
            notes[unit.id] = try await store.flightRecords(of: unit.id)
            if unit.open > 0 || notes[unit.id]?.isEmpty == false { cutOff.append(record) }
        }
        guard !cutOff.isEmpty else { return [] }
        let dead = try await store.runs(limit: 1).first { $0.status == .running }
        let run = try await store.beginRun(worker)
        var reports: [SendReport] = []
        var tally = OutcomeTally()
        for record in cutOff {
            guard var unit = record.unit else { continue }
            let notes = notes[unit.id]
            if let notes { unit = try await takeNotes(notes, of: unit, in: record.id) }
            if let dead { try await noteCutOff(record.id, unit: unit, in: dead.id) }
            let open = try await settle(unit, notes: notes ?? [:])
            // A request in flight may have been a repeat.
            if let dead, notes != nil { try await noteCutOff(record.id, unit: unit, in: dead.id) }
            let report = try await report(on: record.id, unit: unit, of: open)
            var settled = OutcomeTally()
            settled[.unknown] = report.tally[.unknown]
            try await note(report, as: settled, in: run)
            tally = tally + settled
            reports.append(report)
        }
        let cause = "an earlier run was cut off"
        try await store.finishRun(
            run,
            as: RunEnd(status: .complete, tally: tally, cause: cause, at: worker.since)
        )
        return reports
    }

    /// Returns the requests that are now unknown.
    private func settle(
        _ unit: WorkUnitRecord,
        notes: [Int: FlightRecord]
    ) async throws(StateStoreError) -> RequestRanges {
        var settled = RequestRanges([])
        try await scan(unit, below: unit.released) {
            range,
            outcomes async throws(StateStoreError) in
            let open = range.filter { outcomes[$0 - range.lowerBound] == .intended }
            guard !open.isEmpty else { return }
            for number in open { settled.append(number) }
            try await store.record(
                open.map { request in
                    RequestOutcome(
                        index: request,
                        outcome: .unknown,
                        detail: OutcomeDetail(
                            FlightVerdict.cutOff,
                            repeatedAfter: notes[request]?.cause
                        ).text
                    )
                },
                released: nil,
                of: unit.id
            )
        }
        return settled
    }

    /// Returns the requests that may be sent: never released, or known not to have been sent.
    func intended(of unit: WorkUnitRecord) async throws(StateStoreError) -> RequestRanges {
        if unit.isUntouched { return RequestRanges(unit.count == 0 ? [] : [0..<unit.count]) }
        var rest = RequestRanges([])
        try await scan(unit, below: unit.count) { range, outcomes in
            for number in range {
                let outcome = outcomes[number - range.lowerBound]
                if unit.maySend(number, outcome: outcome) { rest.append(number) }
            }
        }
        return rest
    }

    /// Returns the result of an occurrence since it was opened.
    func report(
        on sending: ActiveOccurrence,
        after dispatched: DispatchResult?
    ) async throws(StateStoreError) -> SendReport {
        var report = try await report(
            on: sending.occurrence,
            unit: sending.unit,
            of: sending.requests
        )
        report.heldOut = min(
            sending.skipped.heldOutCount,
            report.tally[.suppressed] - report.capped
        )
        report.optedOut = min(
            sending.skipped.optedOutCount,
            report.tally[.suppressed] - report.capped - report.heldOut
        )
        report.notReached = min(sending.skipped.notReachedCount, report.tally[.suppressed])
        guard let dispatched else { return report }
        report.repeats = dispatched.repeatedCount
        report.repeated = try await problems(of: sending.unit, in: dispatched.repeated)
        return report
    }

    /// Returns the result of a work unit since it was read as `unit`; only `requests` have changed
    /// since then.
    func report(
        on occurrence: OccurrenceID,
        unit: WorkUnitRecord,
        of requests: RequestRanges
    ) async throws(StateStoreError) -> SendReport {
        let current = try await store.unit(unit.id)
        var tally = current.tally
        tally[.unknown] += current.open
        tally[.intended] -= current.open
        for outcome in [Outcome.accepted, .rejected, .unknown, .expired, .suppressed, .cancelled] {
            tally[outcome] -= unit.tally[outcome]
        }
        var report = SendReport(
            occurrence: occurrence,
            target: unit.target,
            tally: tally,
            rejected: current.tally[.rejected] == 0
                ? [] : try await problems(of: unit, with: .rejected, among: requests),
            unknown: current.tally[.unknown] == 0
                ? [] : try await problems(of: unit, with: .unknown, among: requests)
        )
        report.capped = current.capped - unit.capped
        report.hasOtherRejections = try await hasOtherRejections(of: current, among: requests)
        return report
    }

    /// Returns the results of all runs of an occurrence; nil if it has not started.
    func report(onWhole record: OccurrenceRecord) async throws(StateStoreError) -> SendReport? {
        guard let unit = record.unit else { return nil }
        let requests = RequestRanges(unit.count == 0 ? [] : [0..<unit.count])
        var tally = unit.tally
        tally[.unknown] += unit.open
        tally[.intended] -= unit.open
        var report = SendReport(
            occurrence: record.id,
            target: unit.target,
            tally: tally,
            rejected: try await problems(of: unit, with: .rejected, among: requests),
            unknown: try await problems(of: unit, with: .unknown, among: requests)
        )
        report.repeats = try await store.repeatCount(of: unit.id)
        report.capped = unit.capped
        report.hasOtherRejections = try await hasOtherRejections(of: unit, among: requests)
        return report
    }

    /// Whether a request was rejected for another reason than a dead registration.
    private func hasOtherRejections(
        of unit: WorkUnitRecord,
        among changed: RequestRanges
    ) async throws(StateStoreError) -> Bool {
        let rejected = unit.tally[.rejected]
        guard rejected > 0 else { return false }
        return try await store.requests(of: unit.id, with: .rejected, limit: rejected).contains {
            changed.contains($0.index) && $0.rejection?.isDead != true
        }
    }

    private func problems(
        of unit: WorkUnitRecord,
        with outcome: Outcome,
        among changed: RequestRanges
    ) async throws(StateStoreError) -> [SendProblem] {
        // Earlier problems are counted in `unit`, so they leave room for new ones.
        let limit = unit.tally[outcome] + Self.listed
        let requests = try await store.requests(of: unit.id, with: outcome, limit: limit)
        let new = requests.filter { changed.contains($0.index) }.prefix(Self.listed)
        return try await problems(of: unit, in: Array(new))
    }

    func problems(
        of unit: WorkUnitRecord,
        in requests: [RequestOutcome]
    ) async throws(StateStoreError) -> [SendProblem] {
        guard !requests.isEmpty else { return [] }
        var window: ListWindow?
        if case .registrations(let list) = unit.target, try await keeps(list, of: unit) {
            window = ListWindow(reader: store, list: list)
        }
        var problems: [SendProblem] = []
        for request in requests {
            let registration = try await window?.registration(request.index)
            let fingerprint = registration.map(fingerprinter.fingerprint)
            problems.append(
                SendProblem(fingerprint: fingerprint, reason: request.detail ?? "")
            )
        }
        return problems
    }

    /// Whether the state has the list of a unit; it is dropped after the last request.
    private func keeps(
        _ list: ListID,
        of unit: WorkUnitRecord
    ) async throws(StateStoreError) -> Bool {
        guard unit.tally[.intended] + unit.tally[.unknown] + unit.open == 0 else { return true }
        return try await store.hasList(list)
    }

    func scan(
        _ unit: WorkUnitRecord,
        below end: Int,
        visit: (Range<Int>, [Outcome]) async throws(StateStoreError) -> Void
    ) async throws(StateStoreError) {
        var first = 0
        while first < end {
            let range = first..<min(first + PageSize.outcomes, end)
            try await visit(range, try await store.outcomes(of: unit.id, in: range))
            first = range.upperBound
        }
    }
}
