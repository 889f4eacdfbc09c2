import CampaignModel
import HTTPTransport
import Planning
import Sending
package import State

// The notes of a run whose process was killed.
extension OccurrenceRecorder {
    /// Records what a killed process knew about an occurrence's requests, and returns the unit as
    /// it is now.
    ///
    /// Requests that were in flight stay open.
    func takeNotes(
        _ notes: [Int: FlightRecord],
        of unit: WorkUnitRecord,
        in occurrence: OccurrenceID
    ) async throws(StateStoreError) -> WorkUnitRecord {
        let known = try await known(from: notes, in: unit)
        try await holdIfWrong(known, of: unit, in: occurrence)
        var rest = known[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(PageSize.outcomes))
            try await store.record(part, released: nil, of: unit.id)
            rest = rest.dropFirst(part.count)
        }
        return try await store.unit(unit.id)
    }

    /// Returns the outcomes that are known from notes alone, in order: at most the requests that
    /// were released without an outcome, and repeated ones.
    private func known(
        from notes: [Int: FlightRecord],
        in unit: WorkUnitRecord
    ) async throws(StateStoreError) -> [RequestOutcome] {
        var known: [RequestOutcome] = []
        let isToGroup = if case .group = unit.target { true } else { false }
        try await scan(unit, below: unit.released) { range, outcomes in
            for (request, outcome) in zip(range, outcomes) {
                let verdict = FlightVerdict(
                    notes[request],
                    recorded: outcome,
                    isToGroup: isToGroup
                )
                if let outcome = verdict.outcome(of: request, in: unit) { known.append(outcome) }
            }
        }
        return known
    }

    /// Holds the occurrence if the answers indicate a wrong list: rejections without a hold would
    /// mean that a person released it.
    private func holdIfWrong(
        _ outcomes: [RequestOutcome],
        of unit: WorkUnitRecord,
        in occurrence: OccurrenceID
    ) async throws(StateStoreError) {
        guard !unit.target.isFanOut else { return }
        let earlier = try await earlierAnswers(to: unit, of: occurrence)
        var trial = WrongListDetector(
            count: unit.count - unit.tally[.suppressed],
            earlier: earlier
        )
        for outcome in outcomes {
            if outcome.outcome == .accepted { trial.accepted() }
            guard outcome.outcome == .rejected, let rejection = outcome.rejection else { continue }
            trial.rejected(outcome.index, with: rejection)
        }
        guard !earlier.isHeld, let suspicion = trial.suspicion else { return }
        try await store.hold(occurrence, with: suspicion.hold)
    }
}

extension OccurrenceRecorder: InterruptedRequests {
    package func unsent(of unit: WorkUnitRecord) async throws(StateStoreError) -> Set<Int> {
        guard unit.open > 0 else { return [] }
        return Set(try await noted(of: unit).filter { $0.outcome == .returned }.map(\.index))
    }

    /// Returns the outcomes that only the notes of a killed process show, in order.
    ///
    /// Empty while another process sends.
    func noted(of unit: WorkUnitRecord) async throws(StateStoreError) -> [RequestOutcome] {
        guard try await store.currentWriter() == .nobody,
            let notes = try await store.flightRecords(of: unit.id)
        else { return [] }
        return try await known(from: notes, in: unit)
    }
}

/// What a note means for a request with a recorded outcome.
enum FlightVerdict: Hashable {
    /// The record is complete, or the request was in flight.
    case unchanged
    /// It was released but not written.
    case unsent(reason: String?)
    case accepted(name: String?, cause: String?)
    case rejected(reason: String, cause: String?)
    case unknown(reason: String?, cause: String?)

    /// The reason of a request that was in flight when the process ended.
    static let cutOff = "cut off"

    /// `note`: nil if the request was not written.
    init(_ note: FlightRecord?, recorded outcome: Outcome, isToGroup: Bool = false) {
        guard let note else {
            self = outcome == .intended ? .unsent(reason: nil) : .unchanged
            return
        }
        // Any other outcome was recorded after the note; an unknown one may have been repeated.
        guard outcome == .intended || outcome == .unknown && note.cause != nil else {
            self = .unchanged
            return
        }
        switch note.event {
        case .written where outcome == .intended: self = .unchanged
        case .written: self = .unknown(reason: Self.cutOff, cause: note.cause)
        case .unsent: self.init(unsent: nil, cause: note.cause)
        case .unanswered(let reason): self = .unknown(reason: reason, cause: note.cause)
        case .answered(let status, let body):
            let answer = HTTPAnswer(status: status, headers: [], body: body)
            self.init(Judgement(of: answer, isToGroup: isToGroup), cause: note.cause)
        }
    }

    private init(_ judgement: Judgement, cause: String?) {
        switch judgement {
        case .accepted(let name): self = .accepted(name: name, cause: cause)
        case .rejected(let rejection): self = .rejected(reason: rejection.reason, cause: cause)
        case .unwritten(let reason), .throttled(let reason, _), .unauthorized(let reason),
            .refusedUs(let reason):
            self.init(unsent: reason, cause: cause)
        case .slowed: self.init(unsent: Rejection.apnsTooManyRequests.reason, cause: cause)
        case .failed(let reason, _), .unknown(let reason):
            self = .unknown(reason: reason, cause: cause)
        }
    }

    /// A repeat that was not delivered does not change what is known of the earlier attempt.
    private init(unsent reason: String?, cause: String?) {
        self = cause == nil ? .unsent(reason: reason) : .unknown(reason: reason, cause: cause)
    }

    /// The outcome to record; nil if none.
    func outcome(of request: Int, in unit: WorkUnitRecord) -> RequestOutcome? {
        switch self {
        case .unchanged: nil
        case .unsent(let reason):
            RequestOutcome(index: request, outcome: .returned, detail: reason)
        case .accepted(let name, let cause):
            RequestOutcome(
                index: request,
                outcome: .accepted,
                detail: OutcomeDetail(unit.target.isFanOut ? name : nil, repeatedAfter: cause).text,
                messageID: unit.keepsIDs ? name : nil
            )
        case .rejected(let reason, let cause):
            RequestOutcome(
                index: request,
                outcome: .rejected,
                detail: OutcomeDetail(reason, repeatedAfter: cause).text
            )
        case .unknown(let reason, let cause):
            RequestOutcome(
                index: request,
                outcome: .unknown,
                detail: OutcomeDetail(reason, repeatedAfter: cause).text
            )
        }
    }
}
