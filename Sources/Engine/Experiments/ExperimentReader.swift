package import CampaignModel
package import State
import Statistics
package import Time

/// Reads what the experiments of campaigns show.
package struct ExperimentReader: Sendable {
    private let store: any ExperimentBook & Ledger & StateReader

    /// The number of requests or subjects per query.
    private static let atOnce = 16_384

    package init(of store: any ExperimentBook & Ledger & StateReader) {
        self.store = store
    }

    /// The campaigns that have sent to arms of an experiment, in the order of their first sends.
    package func campaigns() async throws(ExperimentError) -> [CampaignID] {
        var found: [CampaignID] = []
        for exposure in try await exposures(of: nil)
        where !found.contains(exposure.occurrence.campaign) {
            found.append(exposure.occurrence.campaign)
        }
        return found
    }

    /// Looks at the newest experiment of a campaign.
    package func look(
        at request: ResultRequest,
        on time: Instant
    ) async throws(ExperimentError) -> ExperimentResult {
        let all = try await exposures(of: request.campaign)
        guard let newest = all.last else { throw .noExperiment(request.campaign) }
        let exposures = all.filter { $0.experiment == newest.experiment }
        return try await state { () async throws(StateStoreError) in
            let tally = try await tally(exposures, of: newest.experiment)
            let outcomes = try await store.outcomes(of: exposures.map(\.unit))
            let name = ResultName(
                campaign: request.campaign,
                experiment: newest.experiment.name,
                outcome: request.outcome ?? outcomes.usualName
            )
            return Gathered(
                name: name,
                time: time,
                exposures: exposures,
                otherOccurrences: all.count - exposures.count,
                tally: tally,
                outcomes: outcomes
            )
        }.result(of: request, in: store)
    }

    private func exposures(
        of campaign: CampaignID?
    ) async throws(ExperimentError) -> [Exposure] {
        try await state { () async throws(StateStoreError) in
            try await store.exposures(of: campaign)
        }
    }

    private func tally(
        _ exposures: [Exposure],
        of experiment: ExperimentRecord
    ) async throws(StateStoreError) -> ExposureTally {
        var tally = ExposureTally(of: experiment, exposures: exposures.count)
        for exposure in exposures {
            let unit = try await store.unit(exposure.unit)
            var first = 0
            while let part = try await store.subjects(of: exposure, from: first) {
                let range = first..<first + part.arms.count
                tally.add(part)
                if unit.compacted == nil {
                    tally.add(try await store.outcomes(of: unit.id, in: range), of: part)
                }
                first = range.upperBound
            }
            if unit.compacted != nil { tally.areRequestsDropped = true }
        }
        return tally
    }
}

/// Performs a state operation and converts its error.
func state<Value>(
    _ body: () async throws(StateStoreError) -> Value
) async throws(ExperimentError) -> Value {
    do { return try await body() } catch { throw .state(error) }
}

extension [OutcomeSummary] {
    /// The name of the outcome that is shown if none is chosen.
    fileprivate var usualName: String {
        if contains(where: { $0.name == ExperimentResult.usualOutcome }) {
            return ExperimentResult.usualOutcome
        }
        return self.max { $0.events < $1.events }?.name ?? ExperimentResult.usualOutcome
    }
}

extension ExperimentResult {
    package static let usualOutcome = "conversion"
}

/// The subjects and requests of exposures with the same arms.
struct ExposureTally {
    private var counter: SubjectCounter
    private(set) var requests: [ArmRequests]
    private let arms: [ExperimentRecord.Arm]
    private(set) var isByPerson = false
    var areRequestsDropped = false

    init(of experiment: ExperimentRecord, exposures: Int) {
        arms = experiment.arms
        counter = SubjectCounter(arms: arms.count, mayRepeat: true)
        requests = arms.map { _ in ArmRequests() }
    }

    mutating func add(_ part: ExposedSubjects) {
        if !isByPerson { isByPerson = part.subjects != part.registrations }
        counter.add(part)
    }

    mutating func add(_ outcomes: [Outcome], of part: ExposedSubjects) {
        for (arm, outcome) in zip(part.arms, outcomes) where arms.indices.contains(Int(arm)) {
            let isHeldOut = arms[Int(arm)].kind == .heldOut
                || arms[Int(arm)].kind == .heldOutGlobally
            requests[Int(arm)].add(outcome, isHeldOut: isHeldOut)
        }
    }

    var subjects: SubjectCounts { counter.finish() }
}
