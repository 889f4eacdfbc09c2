import Applying
import CampaignModel
import JSON
import RunControl
import State

extension StatusJSONView {
    /// Returns the first requests with an unknown outcome.
    func problems(
        of occurrence: OccurrenceOverview,
        unknowns: UnknownSource
    ) async throws(StateStoreError) -> [SendProblem] {
        var problems: [SendProblem] = []
        try await unknowns(occurrence) { problem in
            problems.append(problem)
            return problems.count < named ?? .max
        }
        return problems
    }
}

extension SendProblem {
    /// Contains FCM's text unchanged.
    ///
    /// JSON escapes control characters.
    var json: JSONValue {
        [
            "registration": fingerprint.map { .string($0.description) } ?? .null,
            "reason": .string(reason),
        ]
    }
}
