package import CampaignModel
package import JSON
package import State

/// A difference between two reviewed plans.
package enum PlanDifference: Hashable, Sendable {
    /// The plans have different targets: the project, the environment, the state or the service.
    case head(HeadField, before: String, after: String)
    case campaign(CampaignID, Change)
    case membership(MembershipScope, Change)
    case guards(before: JSONValue, after: JSONValue)
    /// The approvals that the plan sets; nil if it leaves them.
    case approvals(before: JSONValue?, after: JSONValue?)

    package enum HeadField: String, Hashable, Sendable, CaseIterable {
        case project
        case environment
        case lineage
        case projectID
    }

    /// `before`: the reviewed value.
    package enum Change: Hashable, Sendable {
        case gone(before: JSONValue)
        case new(after: JSONValue)
        case changed(before: JSONValue, after: JSONValue)
    }

    package var isHead: Bool {
        if case .head = self { true } else { false }
    }
}

extension ReviewedPlan {
    /// Returns the differences; if the targets differ, returns only those, because they explain the
    /// rest.
    package func differences(to now: ReviewedPlan) -> [PlanDifference] {
        let heads = head.differences(to: now.head)
        guard heads.isEmpty else { return heads }
        let ids = Set(campaigns.keys).union(now.campaigns.keys).sorted()
        let scopes = Set(memberships.keys).union(now.memberships.keys).sorted {
            ($0.audience.rawValue, $0.topic.name) < ($1.audience.rawValue, $1.topic.name)
        }
        var found = ids.compactMap { id in
            PlanDifference.Change(from: campaigns[id], to: now.campaigns[id])
                .map { PlanDifference.campaign(id, $0) }
        }
        found += scopes.compactMap { scope in
            PlanDifference.Change(from: memberships[scope], to: now.memberships[scope])
                .map { PlanDifference.membership(scope, $0) }
        }
        if guards != now.guards {
            found.append(.guards(before: .array(guards), after: .array(now.guards)))
        }
        if approvals != now.approvals {
            found.append(.approvals(before: approvals, after: now.approvals))
        }
        return found
    }
}

extension PlanDifference.Change {
    /// Nil if both are equal.
    fileprivate init?(from before: JSONValue?, to after: JSONValue?) {
        switch (before, after) {
        case (let before?, let after?) where before != after:
            self = .changed(before: before, after: after)
        case (let before?, nil): self = .gone(before: before)
        case (nil, let after?): self = .new(after: after)
        case (_?, _?), (nil, nil): return nil
        }
    }

    /// The leaves that differ, by path; none if one of the two is missing.
    package var fields: [FieldChange] {
        guard case .changed(let before, let after) = self else { return [] }
        return FieldChange.changes(from: before, to: after)
    }
}

extension ReviewedPlan.Head {
    fileprivate func differences(to now: ReviewedPlan.Head) -> [PlanDifference] {
        PlanDifference.HeadField.allCases.compactMap { field in
            let (before, after) = (self[field], now[field])
            return before == after ? nil : .head(field, before: before, after: after)
        }
    }

    private subscript(field: PlanDifference.HeadField) -> String {
        switch field {
        case .project: project
        case .environment: environment
        case .lineage: lineage
        case .projectID: projectID
        }
    }
}
