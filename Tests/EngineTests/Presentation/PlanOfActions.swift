import CampaignModel
import JSON
import State
import Testing

@testable import Planning

/// Makes plans from actions, without a project or a state.
enum PlanOfActions {
    static func plan(
        memberships: [MembershipChange],
        campaigns: [CampaignAction],
        notices: [PlanNotice],
        unread: [UnreadSource] = []
    ) throws -> Plan {
        Plan(
            project: try #require(ProjectID("shop")),
            environment: try #require(EnvironmentID("dev")),
            destination: PlanDestination(
                environment: try #require(EnvironmentID("dev")),
                projectID: "shop",
                server: .ownEmulator,
                isProtected: false
            ),
            lineage: StateLineage(text: "0123456789abcdef0123456789abcdef"),
            serial: StateSerial(number: 0),
            timeZone: "UTC",
            actions: PlannedActions(
                now: PlanScene.now,
                memberships: memberships,
                campaigns: campaigns,
                settling: .none,
                topics: [:],
                traffic: PlannedTraffic(pace: .standard, now: PlanScene.now)
            ),
            notices: notices,
            guards: [],
            approvals: .none,
            guardRecords: [],
            selectors: Selectors(),
            leftOut: 0,
            elsewhere: [],
            isWhole: true,
            handsOver: false,
            unread: unread,
            wantedMemberships: [:],
            people: .none,
            caps: .none,
            reviewed: ReviewedPlan(
                head: ReviewedPlan.Head(project: "", environment: "", lineage: "", projectID: "")
            )
        )
    }

    /// Returns a plan with other outcomes of its guards.
    ///
    /// `destination`: nil keeps the plan's own.
    static func plan(
        _ plan: Plan,
        guards: [GuardOutcome],
        destination: PlanDestination? = nil
    ) -> Plan {
        Plan(
            project: plan.project,
            environment: plan.environment,
            destination: destination ?? plan.destination,
            lineage: plan.lineage,
            serial: plan.serial,
            timeZone: plan.timeZone,
            actions: plan.actions,
            notices: plan.notices,
            guards: guards,
            approvals: plan.approvals,
            guardRecords: plan.guardRecords,
            selectors: plan.selectors,
            leftOut: plan.leftOut,
            elsewhere: plan.elsewhere,
            isWhole: plan.isWhole,
            handsOver: plan.handsOver,
            unread: plan.unread,
            wantedMemberships: plan.wantedMemberships,
            people: plan.people,
            caps: plan.caps,
            reviewed: plan.reviewed
        )
    }
}
