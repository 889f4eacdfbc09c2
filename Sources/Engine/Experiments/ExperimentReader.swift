package import CampaignModel
package import State
import Statistics
package import Time

/// Reads what the experiments of campaigns show.
///
/// Memory use does not depend on the number of subjects or outcomes.
package struct ExperimentReader: Sendable {
    private let store: any ExperimentBook & Ledger & StateReader
    private let folder: String

    /// `folder`: for temporary files with the hashes of subjects.
    package init(of store: any ExperimentBook & Ledger & StateReader, folder: String) {
        self.store = store
        self.folder = folder
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
        let exposures = all.filter { $0.experiment.divides(as: newest.experiment) }
        let outcomes = try await state { () async throws(StateStoreError) in
            try await store.outcomes(of: exposures.map(\.unit))
        }
        if let chosen = request.outcome, !outcomes.isEmpty,
            !outcomes.contains(where: { $0.name == chosen })
        {
            throw .noOutcome(chosen, among: outcomes.map(\.name))
        }
        let name = ResultName(
            campaign: request.campaign,
            experiment: newest.experiment.name,
            outcome: request.outcome ?? outcomes.usualName
        )
        let gathered = Gathered(
            name: name,
            time: time,
            exposures: exposures,
            otherOccurrences: all.count - exposures.count,
            subjects: try await subjects(of: exposures, as: newest.experiment, with: name.outcome),
            outcomes: outcomes
        )
        var result = try await gathered.result(of: request, in: store)
        result.android = try await Self.androidArms(
            of: exposures,
            as: newest.experiment,
            in: store
        )
        return result
    }

    private func exposures(
        of campaign: CampaignID?
    ) async throws(ExperimentError) -> [Exposure] {
        try await state { () async throws(StateStoreError) in
            try await store.exposures(of: campaign)
        }
    }

    private func subjects(
        of exposures: [Exposure],
        as experiment: ExperimentRecord,
        with outcome: String
    ) async throws(ExperimentError) -> GatheredSubjects {
        var tally = ExposureTally(of: experiment, folder: folder)
        var areRequestsDropped = false
        for exposure in exposures {
            let unit = try await state { () async throws(StateStoreError) in
                try await store.unit(exposure.unit)
            }
            if unit.compacted != nil { areRequestsDropped = true }
            var first = 0
            while let part = try await subjects(of: exposure, from: first) {
                let range = first..<first + part.arms.count
                let outcomes = try await outcomes(of: unit, in: range)
                try tally.add(part, of: exposure, outcomes: outcomes)
                first = range.upperBound
            }
        }
        let (requests, isByPerson, erased) = (tally.requests, tally.isByPerson, tally.erased)
        return GatheredSubjects(
            experiment: experiment,
            totals: try await tally.totals(
                SumPages(of: outcome, in: exposures.map(\.unit), store: store)
            ),
            requests: areRequestsDropped ? nil : requests,
            isByPerson: isByPerson,
            erased: erased
        )
    }

    private func subjects(
        of exposure: Exposure,
        from first: Int
    ) async throws(ExperimentError) -> ExposedSubjects? {
        try await state { () async throws(StateStoreError) in
            try await store.subjects(of: exposure, from: first)
        }
    }

    /// Nil if they were dropped.
    private func outcomes(
        of unit: WorkUnitRecord,
        in range: Range<Int>
    ) async throws(ExperimentError) -> [Outcome]? {
        guard unit.compacted == nil else { return nil }
        return try await state { () async throws(StateStoreError) in
            try await store.outcomes(of: unit.id, in: range)
        }
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
