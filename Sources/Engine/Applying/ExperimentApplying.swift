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
        let name = PeopleName(of: list, columns: experiment.columns)
        let known = try await knownPeople(of: name, in: opened)
        let subjects = try await subjects(
            of: list,
            count: unit.count,
            in: experiment.record,
            reading: SubjectColumns(
                covariate: shape.columns.firstIndex(of: MessageColumns.covariateColumn),
                areRegistrations: known == nil
            )
        )
        let found: (record: PeopleID, people: ListPeople)
        if let known {
            found = known
        } else {
            let people = ListPeople(registrations: subjects.registrations)
            found = (try await store.keepPeople(people, of: name), people)
        }
        guard found.people.count == unit.count else {
            throw .damaged(path: "", reason: "the people of a send are not those of its list")
        }
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

    /// What is read of the rows of an experiment, in addition to the arm.
    private struct SubjectColumns {
        /// The place of the numbers from before the experiment among the values of a row; nil if there are none.
        let covariate: Int?
        /// Whether each registration is a subject, so that it is read.
        let areRegistrations: Bool
    }

    /// The rows of an experiment, in order.
    private struct Subjects {
        var arms: [UInt8] = []
        /// The numbers from before the experiment; nil if there are none.
        var covariates: [Double]?
        /// The fingerprints of the registrations; empty if they are not read.
        var registrations: [UInt64] = []
    }

    /// Reads the list once.
    private func subjects(
        of list: ListID,
        count: Int,
        in experiment: ExperimentRecord,
        reading columns: SubjectColumns
    ) async throws(StateStoreError) -> Subjects {
        var subjects = Subjects(covariates: columns.covariate.map { _ in [] })
        subjects.arms.reserveCapacity(count)
        while subjects.arms.count < count {
            let first = subjects.arms.count
            let page = try await store.page(of: list, from: first, count: PageSize.rows)
            guard !page.rows.isEmpty else {
                throw .damaged(path: "", reason: "a stored list is too short")
            }
            subjects.arms += page.rows.map { experiment.number(ofColumn: $0.values.last ?? "") }
            if let covariate = columns.covariate {
                subjects.covariates? += page.rows.map {
                    CovariateText.number($0.values[covariate]) ?? 0
                }
            }
            guard columns.areRegistrations else { continue }
            subjects.registrations += page.rows.map {
                project.fingerprinter.fingerprint(of: $0.registration).high
            }
        }
        return subjects
    }
}
