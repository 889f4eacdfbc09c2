package import CampaignModel
import JSON
import RegistrationLists
import State

extension Planner {
    /// Returns the part of the plan that a reviewer approves.
    func review(
        _ draft: DraftPlan,
        guards: [GuardOutcome],
        approvals: PlannedApprovals
    ) -> ReviewedPlan {
        let named = Set(draft.reviewed.map(\.campaign))
        return ReviewedPlan(
            head: ReviewedPlan.Head(
                project: project.id.rawValue,
                environment: environment.rawValue,
                lineage: draft.applied.identity.lineage.text,
                projectID: projectID
            ),
            campaigns: draft.reviewed,
            memberships: Dictionary(
                (draft.actions.memberships + unchangedSourceMemberships).map {
                    ($0.scope, review($0))
                },
                uniquingKeysWith: { first, _ in first }
            ),
            guards: guards.compactMap { $0.reviewed(of: named) },
            approvals: approvals.reviewed
        )
    }

    /// The list of every audience for each topic that it is kept subscribed to.
    var wantedMemberships: [MembershipScope: WantedMembership] {
        var wanted: [MembershipScope: WantedMembership] = [:]
        for audience in project.audiences {
            let list = reviewedList(audience.list)?.content
            for topic in audience.subscribe ?? [] {
                wanted[MembershipScope(audience: audience.id, topic: topic)] =
                    WantedMembership(list: list, rejoins: audience.rejoins)
            }
        }
        return wanted
    }

    private func review(_ change: MembershipChange) -> JSONValue {
        let list = change.list.flatMap(reviewedList)
        let membership = ReviewedMembership(change: change, list: list)
        return .object(ReviewedMembership.shape.json(of: membership))
    }

    /// Nil if the list cannot be read.
    private func reviewedList(_ list: RegistrationList) -> ReviewedList? {
        (try? surveys[list]?.get()).map { reviewedList(list, $0) }
    }

    /// The memberships of sources, without changes.
    ///
    /// A reviewer approves them even if nothing changes, because the rows may differ when the plan
    /// is applied.
    private var unchangedSourceMemberships: [MembershipChange] {
        project.audiences.filter { includes($0) && !$0.list.sources.isEmpty }.flatMap { audience in
            (audience.subscribe ?? []).map { topic in
                MembershipChange(
                    scope: MembershipScope(audience: audience.id, topic: topic),
                    list: audience.list,
                    joins: [],
                    rejoins: audience.rejoins,
                    leaves: [],
                    forgotten: [],
                    aim: (try? survey(of: audience.list)).map { .list($0.id) } ?? .nobody,
                    transport: audience.membershipTransport
                )
            }
        }
    }
}

/// An audience's wanted members in a topic.
package struct WantedMembership: Hashable, Sendable {
    /// The list's content; nil if it cannot be read.
    let list: JSONValue?
    let rejoins: Bool
}

extension CampaignModel.Environment.Endpoint {
    /// The Firebase project ID; all emulators share one value.
    package var projectID: String {
        switch self {
        case .fcm(let account): account.projectID
        case .embeddedEmulator, .emulator, .unresolved: "emulator"
        }
    }
}
