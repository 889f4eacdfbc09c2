import CampaignMessages
package import CampaignModel
import Dispatch
package import RegistrationLists
package import State
package import Time

/// The ports that a plan is made from.
package typealias PlanningSource = StateReader & Ledger & MembershipBook & DeadRegistrationStore

/// Compares the wanted state of a project with its recorded state at one point in time.
package struct Planner: Sendable {
    let project: Project
    let environment: EnvironmentID
    /// The Firebase project ID, or `emulator`.
    let projectID: String
    let store: any PlanningSource
    let surveys: ListSurveys
    let fingerprinter: Fingerprinter
    let zones: TimeZoneDatabase
    let now: Instant
    /// Seconds between a join and a send to the same topic.
    let settle: Int64
    /// Findings about recorded members that are not recorded yet.
    let findings: MembershipFindings
    /// The selected part; the planner changes nothing else.
    let selection: Selection
    let guards: GuardBasis
    /// The state, if it was already read.
    let applied: AppliedState?
    /// Dead registrations in the store.
    private(set) var dead = DeadRegistrations.none
    /// What is still to be sent of lists whose sending was cut off, by their units.
    private(set) var unsent: [UnitID: Result<UnsentRequests, PlanningError>] = [:]

    package init(
        project: Project,
        environment: EnvironmentID,
        projectID: String = "emulator",
        store: any PlanningSource,
        surveys: ListSurveys,
        fingerprinter: Fingerprinter,
        zones: TimeZoneDatabase,
        now: Instant,
        settle: Int64 = 0,
        findings: MembershipFindings = MembershipFindings(),
        selection: Selection = .everything,
        guards: GuardBasis = GuardBasis(),
        applied: AppliedState? = nil
    ) {
        self.project = project
        self.environment = environment
        self.projectID = projectID
        self.store = store
        self.surveys = surveys
        self.fingerprinter = fingerprinter
        self.zones = zones
        self.now = now
        self.settle = settle
        self.findings = findings
        self.selection = selection
        self.guards = guards
        self.applied = applied
    }

    package func plan() async throws(PlanningError) -> Plan {
        let stored = try await reading { () async throws(StateStoreError) in
            if let applied = self.applied { applied } else { try await store.appliedState() }
        }
        var planner = self
        if stored.deadCount > 0 {
            planner.dead = try await reading { () async throws(StateStoreError) in
                try await store.deadRegistrations()
            }
        }
        planner.unsent = await planner.unsentRequests(stored)
        return try await planner.plan(stored)
    }

    private func plan(_ stored: AppliedState) async throws(PlanningError) -> Plan {
        var notices: [PlanNotice] = []
        let (applied, former) = try renamed(stored, &notices)
        let memberships = try await planMemberships(applied, &notices)
        let campaigns = try planCampaigns(applied, former: former)
        var actions: [CampaignAction] = []
        var reviewed: [ReviewedCampaign] = []
        actions.reserveCapacity(campaigns.count)
        for campaign in campaigns {
            actions += campaign.actions
            notices += campaign.notices
            if let part = campaign.reviewed { reviewed.append(part) }
        }
        let gone = gone(applied)
        let removals = planRemovals(gone, applied)
        actions += removals
        reviewed += Set(removals.map(\.campaign)).map(ReviewedCampaign.init(gone:))
        var plan = Plan(
            project: project.id,
            environment: environment,
            lineage: applied.identity.lineage,
            now: now,
            memberships: memberships,
            campaigns: actions,
            notices: notices,
            settling: SettleDelay(
                length: settle,
                lastJoins: applied.lastJoins,
                memberships: memberships
            ),
            timeZone: project.timeZone,
            topics: project.plannedTopics(surveys),
            pace: project.environment(environment)?.pace ?? .standard,
            serial: applied.identity.serial
        )
        plan.notices += plan.settlingNotices() + plan.fanOutNotices()
        plan.leftOut = leftOutCount(gone)
        plan.isWhole = selection == .everything
        plan.wantedMemberships = wantedMemberships
        plan.selectors = selection.selectors
        ask(guardsOf: &plan, applied)
        plan.reviewed = review(plan, reviewed)
        Self.discard(applied)
        return plan
    }

    /// Releases the state on another core, because that takes as long as reading it.
    private static func discard(_ applied: AppliedState) {
        DispatchQueue.global().async { withExtendedLifetime(applied) {} }
    }

    private func ask(guardsOf plan: inout Plan, _ applied: AppliedState) {
        plan.guardRecords = guardRecords(plan.memberships, applied)
        plan.guards = GuardReview(
            plan: plan,
            applied: applied,
            project: project,
            planner: self
        ).outcomes()
    }

    /// Reads the state and maps its error to a planning error.
    func reading<Value>(
        _ body: () async throws(StateStoreError) -> Value
    ) async throws(PlanningError) -> Value {
        do { return try await body() } catch { throw .state(error) }
    }

    private func planRemovals(
        _ gone: Set<CampaignID>,
        _ applied: AppliedState
    ) -> [CampaignAction] {
        let open = Dictionary(
            grouping: applied.occurrences.values.filter(\.isOpen).map(\.id),
            by: \.campaign
        )
        return gone.filter(selection.includes).sorted().flatMap { id in
            let cancelled = (open[id] ?? []).sorted().map(CampaignStep.cancel)
            return (cancelled.isEmpty ? [.retire] : cancelled).map { CampaignAction(id, $0) }
        }
    }

    /// Returns campaigns that the state defines or has open, but the files no longer define.
    private func gone(_ applied: AppliedState) -> Set<CampaignID> {
        let open = applied.occurrences.values.filter(\.isOpen).map(\.id.campaign)
        return Set(applied.definitions.keys).union(open)
            .subtracting(project.campaigns.map(\.id))
    }

    private func leftOutCount(_ gone: Set<CampaignID>) -> Int {
        guard selection != .everything else { return 0 }
        let former = Set(project.campaigns.compactMap(\.formerID))
        let known = Set(project.campaigns.map(\.id)).union(gone.subtracting(former))
        return known.count { !selection.includes($0) }
    }

    /// Returns the project that the state belongs to, and the allowed result of each membership
    /// change.
    private func guardRecords(
        _ memberships: [MembershipChange],
        _ applied: AppliedState
    ) -> [DefinitionChange] {
        let pinned = applied.guards.projectID
        let pin = guards.projectID.flatMap {
            $0 == pinned ? nil : DefinitionChange.pin(projectID: $0)
        }
        let aims = memberships.filter { applied.guards.aims[$0.scope] != $0.aim }
        return [pin].compactMap(\.self) + aims.map { .aim($0.scope, at: $0.aim) }
    }
}

extension Project {
    /// Returns known facts about topics, including lists that are kept subscribed.
    func plannedTopics(_ surveys: ListSurveys) -> [Topic: PlannedTopic] {
        var planned = topics.mapValues { PlannedTopic(reach: $0.reach) }
        var lists: [Topic: [ListSurvey]] = [:]
        for audience in audiences {
            guard case .success(let survey)? = surveys[audience.list] else { continue }
            let kept = PlannedTopic.Kept(audience: audience.id, count: survey.count)
            for topic in audience.subscribe ?? [] {
                planned[topic, default: PlannedTopic(reach: nil)].kept.append(kept)
                lists[topic, default: []].append(survey)
            }
        }
        for (topic, lists) in lists { planned[topic]?.keptCount = lists.memberCount }
        return planned
    }
}

extension [ListSurvey] {
    /// Number of distinct registrations in all lists.
    fileprivate var memberCount: Int {
        guard count > 1 else { return first?.count ?? 0 }
        return reduce(into: Set<Fingerprint>()) { $0.formUnion($1.fingerprints) }.count
    }
}

extension CampaignAction {
    /// Creates an action without any part of the files.
    init(_ campaign: CampaignID, _ step: CampaignStep) {
        self.init(campaign: campaign, step: step, definition: nil, changes: [])
    }
}
