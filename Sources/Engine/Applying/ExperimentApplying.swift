import CampaignModel
import Planning
import RegistrationLists
import RunControl
import State
import Time

/// Records the arms of the subjects of an experiment.
extension Applier {
    /// Records the arm of each subject before the first request, unless that is recorded.
    ///
    /// `due`: the due time of the occurrence, which counts as its beginning if requests were sent
    /// before the arms were recorded.
    func expose(_ opened: OpenedSend, due: Instant) async throws(StateStoreError) {
        let unit = opened.unit
        guard let experiment = opened.step.experiment,
            case .registrations(let list) = unit.target,
            try await store.exposure(of: unit.id) == nil,
            try await store.hasList(list)
        else { return }
        let shape = try await store.shape(of: list)
        guard TextColumn(of: shape.columns) != nil else { return }
        let found = try await people(
            of: PeopleName(of: list, columns: experiment.columns),
            in: opened
        )
        guard found.people.count == unit.count else {
            throw .damaged(path: "", reason: "the people of a send are not those of its list")
        }
        let subjects = try await subjects(
            of: list,
            count: unit.count,
            in: experiment.record,
            covariate: shape.columns.firstIndex(of: MessageColumns.covariateColumn)
        )
        try await store.expose(
            Exposure(
                unit: unit.id,
                occurrence: opened.step.occurrence,
                experiment: experiment.record,
                people: found.record,
                count: unit.count,
                begins: unit.released > 0 ? due : settings.clock.now()
            ),
            arms: subjects.arms,
            covariates: subjects.covariates
        )
    }

    /// Returns the number of the arm of each row, and its number from before the experiment.
    ///
    /// `covariate`: the place of these numbers among the values of a row; nil if there are none.
    private func subjects(
        of list: ListID,
        count: Int,
        in experiment: ExperimentRecord,
        covariate: Int?
    ) async throws(StateStoreError) -> (arms: [UInt8], covariates: [Double]?) {
        var arms: [UInt8] = []
        arms.reserveCapacity(count)
        var covariates: [Double] = []
        while arms.count < count {
            let page = try await store.page(of: list, from: arms.count, count: PageSize.rows)
            guard !page.rows.isEmpty else {
                throw .damaged(path: "", reason: "a stored list is too short")
            }
            arms += page.rows.map { experiment.number(ofColumn: $0.values.last ?? "") }
            if let covariate {
                covariates += page.rows.map { CovariateText.number($0.values[covariate]) ?? 0 }
            }
        }
        return (arms, covariate == nil ? nil : covariates)
    }
}
