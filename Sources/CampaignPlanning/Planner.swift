import CampaignMessages
package import CampaignModel
package import CampaignState
package import Registrations
package import Scheduling

/// Compares what a project wants with what its state knows, at one moment.
package struct Planner: Sendable {
    let project: Project
    let environment: EnvironmentID
    let store: any StateStore
    let surveys: ListSurveys
    let fingerprinter: Fingerprinter
    let zones: TimeZoneDatabase
    let now: Instant
    /// Seconds between a join and a send to the same topic.
    let settle: Int64
    /// What was found of recorded members and is not recorded.
    let findings: MembershipFindings

    package init(
        project: Project,
        environment: EnvironmentID,
        store: any StateStore,
        surveys: ListSurveys,
        fingerprinter: Fingerprinter,
        zones: TimeZoneDatabase,
        now: Instant,
        settle: Int64 = 0,
        findings: MembershipFindings = MembershipFindings()
    ) {
        self.project = project
        self.environment = environment
        self.store = store
        self.surveys = surveys
        self.fingerprinter = fingerprinter
        self.zones = zones
        self.now = now
        self.settle = settle
        self.findings = findings
    }

    package func plan() throws(PlanningError) -> Plan {
        let applied = try reading { () throws(StateStoreError) in try store.appliedState() }
        var notices: [PlanNotice] = []
        let memberships = try planMemberships(applied, &notices)
        var actions: [CampaignAction] = []
        for campaign in project.campaigns {
            actions.append(try plan(campaign, applied, &notices))
        }
        actions += planRemovals(applied)
        var plan = Plan(
            project: project.id,
            environment: environment,
            lineage: applied.identity.lineage,
            now: now,
            memberships: memberships,
            campaigns: actions,
            notices: notices,
            settling: Settling(
                length: settle,
                lastJoins: applied.lastJoins,
                memberships: memberships
            )
        )
        plan.notices += plan.settlingNotices()
        return plan
    }

    /// Runs a read of the state, giving its error the form of a planning error.
    func reading<Value>(
        _ body: () throws(StateStoreError) -> Value
    ) throws(PlanningError) -> Value {
        do { return try body() } catch { throw .state(error) }
    }

    /// Campaigns that the state defines, or has open, and the files no longer define.
    private func planRemovals(_ applied: AppliedState) -> [CampaignAction] {
        let present = Set(project.campaigns.map(\.id))
        let open = applied.occurrences.values.filter(\.isOpen).map(\.id.campaign)
        let known = Set(applied.definitions.keys).union(open)
        return known.subtracting(present).sorted().map { id in
            let occurrence = OccurrenceID(campaign: id, slot: .once, revision: 1)
            let isOpen = applied.occurrences[occurrence]?.isOpen ?? false
            return CampaignAction(
                campaign: id,
                step: isOpen ? .cancel(occurrence) : .retire,
                definition: nil,
                changes: []
            )
        }
    }
}

extension OccurrenceRecord {
    fileprivate var isOpen: Bool { status == .scheduled || status == .dispatching }
}
