package import CampaignModel
import State
import JSON
import RegistrationLists

extension Planner {
    /// What of the plan a reviewer agrees to.
    func review(_ plan: Plan, _ campaigns: [ReviewedCampaign]) -> ReviewedPlan {
        let named = Set(campaigns.map(\.campaign))
        return ReviewedPlan(
            head: ReviewedPlan.Head(
                project: project.id.rawValue,
                environment: environment.rawValue,
                lineage: plan.lineage.text,
                projectID: projectID
            ),
            campaigns: campaigns,
            memberships: Dictionary(
                plan.memberships.map { ($0.scope, review($0)) },
                uniquingKeysWith: { first, _ in first }
            ),
            guards: plan.guards.compactMap { $0.reviewed(of: named) }
        )
    }

    /// The list of every audience for each topic that it is to be kept subscribed to.
    var wantedMemberships: [MembershipScope: WantedMembership] {
        var wanted: [MembershipScope: WantedMembership] = [:]
        for audience in project.audiences {
            let list = (try? surveys[audience.list]?.get())?.content
            for topic in audience.subscribe ?? [] {
                wanted[MembershipScope(audience: audience.id, topic: topic)] =
                    WantedMembership(list: list, rejoins: audience.rejoins)
            }
        }
        return wanted
    }

    private func review(_ change: MembershipChange) -> JSONValue {
        var part: JSONObject = [
            "audience": .string(change.scope.audience.rawValue),
            "topic": .string(change.scope.topic.name),
            "joins": change.joins.reviewed,
            "leaves": change.leaves.reviewed,
            "forgotten": change.forgotten.reviewed,
            "noted": change.noted.reviewed,
            "rejoin": .bool(change.rejoins),
            "wanted": .bool(change.aim != .nobody),
        ]
        let survey = change.list.flatMap { try? surveys[$0]?.get() }
        part["list"] = survey?.content
        return .object(part)
    }
}

/// What the files say of an audience in a topic.
package struct WantedMembership: Hashable, Sendable {
    /// What the list holds; nil where it can't be read.
    let list: JSONValue?
    let rejoins: Bool
}

extension [Fingerprint] {
    /// How many, and a hash that says who.
    fileprivate var reviewed: JSONValue {
        ["count": .integer(Int64(count)), "members": .string(ContentHash.of(self))]
    }
}

extension ListSurvey {
    /// What a list holds, as definitions and reviewed plans have it.
    var content: JSONValue { ["count": .integer(Int64(count)), "id": .string(id.text)] }
}

extension CampaignModel.Environment.Endpoint {
    /// Firebase's name of the project that is sent to; emulators are one.
    package var projectID: String {
        switch self {
        case .fcm(let account): account.projectID
        case .embeddedEmulator, .emulator, .unresolved: "emulator"
        }
    }
}
