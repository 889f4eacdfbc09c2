import CampaignMessages
package import CampaignModel
import Dispatch
package import RegistrationLists
package import State
package import Time

/// The ports that a plan is made from.
package typealias PlanningSource = StateReader & Ledger & MembershipBook & DeadRegistrationStore
    & ContactBook & UpstreamBook

/// Compares the wanted state of a project with its recorded state at one point in time.
package struct Planner: Sendable {
    let project: Project
    let environment: EnvironmentID
    /// The Firebase project ID, or `emulator`.
    let projectID: String
    let destination: PlanDestination
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
    /// The evidence of interrupted runs that the state does not record yet; nil if none is used.
    let interrupted: (any InterruptedRequests)?
    /// Whether the campaigns are the recorded ones: no definition changes, and lists are read from
    /// the state.
    let isFromState: Bool
    /// The parts of campaigns that this process is sending; they are not planned.
    let busy: Set<SendPart>
    /// The stored requests that planning needs.
    let known: KnownRequests
    let overlaps: TopicOverlaps
    /// The known sizes of topics.
    let sizes: [Topic: Int]
    /// What decides how long the requests of the plan take.
    let traffic: PlannedTraffic
    /// What messages of devices change that the state does not record yet.
    let pending: [UpstreamChange]
    /// The sources that were not read; what needs them is not planned.
    let unread: [UnreadSource]

    /// `destination`: the project's emulator if none is given.
    package init(
        project: Project,
        environment: EnvironmentID,
        projectID: String = "emulator",
        destination: PlanDestination? = nil,
        store: any PlanningSource,
        surveys: ListSurveys,
        fingerprinter: Fingerprinter,
        zones: TimeZoneDatabase,
        now: Instant,
        settle: Int64 = 0,
        findings: MembershipFindings = MembershipFindings(),
        selection: Selection = .everything,
        guards: GuardBasis = GuardBasis(),
        applied: AppliedState? = nil,
        interrupted: (any InterruptedRequests)? = nil,
        isFromState: Bool = false,
        busy: Set<SendPart> = [],
        pending: [UpstreamChange] = []
    ) {
        self.project = project
        self.environment = environment
        self.projectID = projectID
        self.destination =
            destination
            ?? PlanDestination(
                environment: environment,
                projectID: project.id.rawValue,
                server: .ownEmulator,
                isProtected: guards.isProtected
            )
        self.store = store
        self.surveys = surveys
        self.fingerprinter = fingerprinter
        self.zones = zones.readingOnce()
        self.now = now
        self.settle = settle
        self.findings = findings
        self.selection = selection
        self.guards = guards
        self.applied = applied
        self.interrupted = interrupted
        self.isFromState = isFromState
        self.busy = busy
        self.pending = pending
        known = .none
        overlaps = .none
        sizes = [:]
        traffic = PlannedTraffic(
            pace: project.environment(environment)?.pace ?? .standard,
            now: now
        )
        unread = Self.unreadSources(in: project, surveys: surveys, selection: selection)
    }

    private init(_ planner: Planner, known: KnownRequests, traffic: PlannedTraffic) {
        project = planner.project
        environment = planner.environment
        projectID = planner.projectID
        destination = planner.destination
        store = planner.store
        surveys = planner.surveys
        fingerprinter = planner.fingerprinter
        zones = planner.zones
        now = planner.now
        settle = planner.settle
        findings = planner.findings
        selection = planner.selection
        guards = planner.guards
        applied = planner.applied
        interrupted = planner.interrupted
        isFromState = planner.isFromState
        busy = planner.busy
        pending = planner.pending
        unread = planner.unread
        self.known = known
        self.traffic = traffic
        overlaps = planner.topicOverlaps()
        sizes =
            planner.guards.limits.quietHours == nil
            ? [:] : planner.project.plannedTopics(planner.surveys).compactMapValues(\.size)
    }

    /// Makes a complete plan: plans all actions, then asks the guards, then hashes the part that a
    /// reviewer approves.
    package func plan() async throws(PlanningError) -> Plan {
        let stored = try await reading { () async throws(StateStoreError) in
            if let applied = self.applied { applied } else { try await store.appliedState() }
        }
        let planner = Planner(
            self,
            known: try await knownRequests(stored),
            traffic: try await measuredTraffic()
        )
        let draft = try await planner.draft(stored)
        let people = planner.plannedPeople
        let caps = try await planner.forecastCaps(of: draft.actions.dueSends, among: people)
        return planner.plan(draft, people: people, caps: caps)
    }

    /// Returns the planner with the zones of campaigns that follow those of their recipients.
    func knowingZones(in stored: AppliedState) -> Planner {
        let parts = zoneParts()
        let recipients = recipientZones(in: stored, parts: parts)
            .filter { parts[$0.key] != nil }
        return Planner(
            self,
            known: KnownRequests(
                dead: known.dead,
                upstream: known.upstream,
                unsent: known.unsent,
                stored: known.stored,
                recipients: recipients,
                raised: known.raised,
                parts: parts
            ),
            traffic: traffic
        )
    }

    private func plan(_ draft: DraftPlan, people: PlannedPeople, caps: CapForecast) -> Plan {
        let actions = draft.actions
        let review = GuardReview(draft: draft, project: project, planner: self)
        let guards = review.outcomes()
        let approvals = review.approvals(reviewing: Set(draft.reviewed.map(\.campaign)))
        let plan = Plan(
            project: project.id,
            environment: environment,
            destination: destination,
            lineage: draft.applied.identity.lineage,
            serial: draft.applied.identity.serial,
            timeZone: project.timeZone,
            actions: actions,
            notices: unread.map(PlanNotice.unreadSource) + draft.notices + replyNotices
                + actions.settlingNotices() + actions.fanOutNotices()
                + caps.notices(of: actions.dueSends) + approvals.notices,
            guards: guards,
            approvals: approvals,
            guardRecords: guardRecords(for: actions.memberships, applied: draft.applied)
                + approvals.records,
            selectors: selection.selectors,
            leftOut: draft.leftOut,
            elsewhere: project.elsewhere,
            isWhole: selection == .everything && unread.isEmpty,
            handsOver: handsOver,
            unread: unread,
            wantedMemberships: wantedMemberships,
            people: people,
            caps: caps,
            reviewed: self.review(draft, guards: guards, approvals: approvals)
        )
        Self.discard(draft.applied)
        return plan
    }

    /// Releases the state on another core, because that takes as long as reading it.
    private static func discard(_ applied: AppliedState) {
        DispatchQueue.global().async { withExtendedLifetime(applied) {} }
    }

    /// Reads the state and maps its error to a planning error.
    func reading<Value>(
        _ body: () async throws(StateStoreError) -> Value
    ) async throws(PlanningError) -> Value {
        do { return try await body() } catch { throw .state(error) }
    }

    /// Returns the project that the state belongs to, and the allowed result of each membership
    /// change.
    private func guardRecords(
        for memberships: [MembershipChange],
        applied: AppliedState
    ) -> [DefinitionChange] {
        let pinned = applied.guards.projectID
        let pin = guards.projectID.flatMap {
            $0 == pinned ? nil : DefinitionChange.pin(projectID: $0)
        }
        let aims = memberships.filter { applied.guards.aims[$0.scope] != $0.aim }
        return [pin].compactMap(\.self) + aims.map { .aim($0.scope, at: $0.aim) }
    }
}
