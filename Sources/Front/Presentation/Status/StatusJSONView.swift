package import Applying
package import CampaignModel
import JSON
package import State
package import Time

/// Renders the status of a state as JSON.
package struct StatusJSONView {
    private let now: Instant
    /// The maximum number of unknown requests to list per occurrence; nil for all.
    let named: Int?

    package init(now: Instant, named: Int?) {
        self.now = now
        self.named = named
    }

    /// `overview`: nil if there is no state.
    package func render(
        _ overview: StateOverview?,
        of environment: EnvironmentID,
        unknowns: UnknownSource
    ) async throws(StateStoreError) -> String {
        var occurrences: [StatusOccurrence] = []
        for occurrence in overview?.occurrences ?? [] {
            occurrences.append(
                StatusOccurrence(
                    overview: occurrence,
                    isPaused: overview?.pause(of: occurrence.id.campaign) != nil,
                    problems: try await problems(of: occurrence, unknowns: unknowns)
                )
            )
        }
        let contents = StatusContents(
            environment: environment,
            now: now,
            overview: overview,
            occurrences: occurrences
        )
        return JSONValue.object(StatusJSON.shape.json(of: contents)).prettyText + "\n"
    }
}

extension JSONValue {
    static func counts(_ counts: [(name: String, count: Int)]) -> JSONValue {
        .object(
            JSONObject(
                counts.map { JSONObject.Member(key: $0.name, value: .integer(Int64($0.count))) }
            )
        )
    }
}

extension MembershipSummary {
    var json: JSONValue {
        [
            "audience": .string(audience.rawValue), "topic": .string(topic.name),
            "counts": .counts(MembershipStatus.allCases.map { ($0.name, self[$0]) }),
        ]
    }
}
