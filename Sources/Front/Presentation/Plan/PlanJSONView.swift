import CampaignModel
import JSON
package import Planning
import State
import Time

/// Renders the plan as JSON.
///
/// Contains fingerprints instead of registrations.
package struct PlanJSONView: Sendable {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.2"

    package init() {}

    package func render(_ plan: Plan, projectOnWire: String) -> String {
        var object: JSONObject = [
            "format_version": .string(Self.formatVersion),
            "project": .string(plan.project.rawValue),
            "environment": .string(plan.environment.rawValue),
            "lineage": .string(plan.lineage.text),
            "now": .string(plan.now.utcText),
            "digest": .string(plan.digest.description),
            "has_changes": .bool(plan.hasChanges),
            "summary": summary(PlanSummary(plan)),
            "memberships": .array(plan.memberships.map(membership)),
            "campaigns": .array(plan.campaigns.map(campaign)),
            "notices": .array(plan.notices.map(notice)),
            "guards": .array(plan.guards.map { guardOutcome($0, of: plan.environment) }),
            "left_out": .integer(Int64(plan.leftOut)),
            "requests": requests(of: plan, in: projectOnWire),
            "reviewed": plan.reviewed.content,
        ]
        object["checksum"] = .string(ReviewedPlan.checksum(of: object))
        return JSONValue.object(object).prettyText + "\n"
    }

    private func summary(_ summary: PlanSummary) -> JSONValue {
        .object([
            "joins": .integer(Int64(summary.joins)),
            "leaves": .integer(Int64(summary.leaves)),
            "forgotten": .integer(Int64(summary.forgotten)),
            "noted": .integer(Int64(summary.noted)),
            "sends": .integer(Int64(summary.sends)),
            "scheduled": .integer(Int64(summary.scheduled)),
            "changed": .integer(Int64(summary.changed)),
            "removed": .integer(Int64(summary.cancelled)),
            "expired": .integer(Int64(summary.expired)),
            "stopped": .integer(Int64(summary.stopped)),
            "paused": .integer(Int64(summary.paused)),
            "requests": .integer(Int64(summary.requests)),
        ])
    }

    private func membership(_ change: MembershipChange) -> JSONValue {
        .object([
            "audience": .string(change.scope.audience.rawValue),
            "topic": .string(change.scope.topic.name),
            "joins": .array(change.joins.map { .string($0.description) }),
            "leaves": .array(change.leaves.map { .string($0.description) }),
            "forgotten": .array(change.forgotten.map { .string($0.description) }),
            "noted": .array(change.noted.map { .string($0.description) }),
        ])
    }

    private func requests(of plan: Plan, in project: String) -> JSONValue {
        var requests: [JSONValue] = []
        plan.forEachRequest(project: project) { planned in
            var request = JSONObject(request: planned.body, to: planned.path)
            request[planned.purpose.key] = .string(planned.purpose.name)
            if let registrations = planned.registrations {
                request["registrations"] = .array(registrations.map { .string($0.description) })
            }
            requests.append(.object(request))
        }
        return .array(requests)
    }
}

extension JSONObject {
    /// A request as every JSON view shows it.
    init(request body: JSONValue, to path: String) {
        self = ["method": "POST", "path": .string(path), "body": body]
    }
}

extension PlannedRequests.Purpose {
    fileprivate var key: String {
        switch self {
        case .join, .leave: "audience"
        case .send: "campaign"
        }
    }

    fileprivate var name: String {
        switch self {
        case .join(let audience), .leave(let audience): audience.rawValue
        case .send(let campaign): campaign.rawValue
        }
    }
}
