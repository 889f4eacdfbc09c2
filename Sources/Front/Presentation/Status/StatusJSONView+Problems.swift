import Applying
import CampaignModel
import RunControl
import State

extension StatusJSONView {
    /// Returns the first requests with an unknown outcome.
    func problems(
        of occurrence: OccurrenceOverview,
        unknowns: UnknownSource
    ) async throws(StateStoreError) -> [SendProblem] {
        guard occurrence.unit != nil else { return [] }
        var problems: [SendProblem] = []
        try await unknowns(occurrence) { problem in
            problems.append(problem)
            return problems.count < named ?? .max
        }
        return problems
    }
}
