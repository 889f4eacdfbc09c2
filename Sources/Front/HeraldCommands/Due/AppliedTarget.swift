import Applying
import CampaignModel
import JSON
import Planning
import PostgresStore
import Presentation
import RegistrationLists
import State
import SystemIO
import Time

/// An environment as its state records it, for runs without the project's files.
struct AppliedTarget {
    private(set) var applied: AppliedEnvironment
    /// The form in which the state stores it.
    private var stored: JSONValue
    let store: any StateStore
    /// Names the state in errors.
    private let name: String
    /// Where a fleet finds the state; nil if it is in a file.
    let fleet: (place: PostgresPlace, store: PostgresStore)?
    /// The role of the service that sends from this state.
    let role: any ServiceRole
    let fingerprinter: Fingerprinter
    /// The guards that are switched off for this run.
    let bypassed: Set<Guard>
    /// The directory of lists that are read when their sends begin; nil if the run reads none.
    let listDirectory: String?

    /// Opens the state at an address.
    ///
    /// Never creates one.
    ///
    /// `lists`: the directory of lists that are read when their sends begin; nil for none.
    init(
        at address: StateAddress,
        lists: String?,
        bypassing bypassed: Set<Guard>,
        in session: Session
    ) async throws(CommandFailure) {
        if let lists, FileStatus(lists, followsLink: true)?.isFolder != true {
            throw CommandFailure(.noListDirectory(lists), exit: .usage)
        }
        let isThere = try await mapStateErrors { () async throws(StateStoreError) in
            try await address.isThere()
        }
        name = address.name
        guard isThere else { throw CommandFailure(.noStateToSendFrom(name)) }
        let stored = try await mapStateErrors { () async throws(StateStoreError) in
            try await address.environment()
        }
        guard let stored else { throw CommandFailure(.nothingAppliedYet(name)) }
        guard let applied = AppliedEnvironment(stored: stored) else {
            throw CommandFailure(.unreadableEnvironment(name))
        }
        try Self.refuseFixedClock(in: applied.environment, bypassing: bypassed, in: session)
        let settings = applied.environment.settings
        let keys = try session.stateKeys(applied.environment)
        let check = StateIdentityCheck(
            of: address,
            named: settings.state.lineage.map(StateLineage.init(text:)),
            seen: KnownStateFile(session.context.variables)
        )
        let store = try await mapStateErrors { () async throws(StateStoreError) in
            try await check.open(keys)
        }
        self.applied = applied
        self.stored = stored
        self.store = store
        role = address.role(in: store)
        if case .server(let place) = address, let store = store as? PostgresStore {
            fleet = (place, store)
        } else {
            fleet = nil
        }
        self.bypassed = bypassed
        listDirectory = lists
        fingerprinter = Fingerprinter(key: try await session.fingerprintKey(of: store))
    }

    private static func refuseFixedClock(
        in environment: CampaignModel.Environment,
        bypassing bypassed: Set<Guard>,
        in session: Session
    ) throws(CommandFailure) {
        guard environment.settings.isProtected, session.context.hasFixedClock,
            !bypassed.contains(.clock)
        else { return }
        throw CommandFailure(
            ErrorText(.fixedClock, by: .clock, in: environment.id),
            exit: .refusedByGuard
        )
    }

    /// Uses the settings of the last apply.
    mutating func refresh(in session: Session) async throws(CommandFailure) {
        let found = try await mapStateErrors { [store] () async throws(StateStoreError) in
            try await store.environment()
        }
        guard let found, found != stored else { return }
        guard let applied = AppliedEnvironment(stored: found) else {
            throw CommandFailure(.unreadableEnvironment(name))
        }
        try Self.refuseFixedClock(in: applied.environment, bypassing: bypassed, in: session)
        self.applied = applied
        stored = found
    }

    var environment: CampaignModel.Environment { applied.environment }

    /// Whether other processes send to the same server: not if each one starts an emulator of its own.
    var sharesServer: Bool { environment.endpoint != .embeddedEmulator }

    var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: store, fingerprinter: fingerprinter)
    }

    /// Whether an apply leaves what is due to a service.
    var handsOver: Bool { environment.settings.sends == .run }

    var hint: CommandHint { CommandHint(for: environment.id) }

    /// Returns what is due, according to the state at this time.
    ///
    /// `busy`: parts of campaigns that this process is sending; they are not planned. `time`: when it is due;
    /// nil for now.
    func due(
        in session: Session,
        without busy: Set<SendPart> = [],
        at time: Instant? = nil
    ) async throws(CommandFailure) -> DuePlan {
        let now = time ?? session.clock.now()
        let zones = session.context.zones
        // Fails if the state is no longer in its place.
        let version = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.version()
        }
        let state = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.appliedState()
        }
        let lists = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.storedLists().intersection(state.definedLists)
        }
        let campaigns = AppliedCampaigns(
            of: state,
            requiresReview: environment.settings.guards.requiresReviewedPlan
                && !bypassed.contains(.reviewedPlan),
            lists: KnownLists(stored: lists, readsAtSend: listDirectory != nil),
            zones: zones,
            at: now
        )
        .without(busy)
        let project = applied.project(
            with: campaigns.campaigns,
            audiences: campaigns.audiences
        )
        let planner = Planner(
            project: project,
            environment: environment.id,
            projectID: environment.endpoint.projectID,
            destination: PlanDestination(environment, of: project),
            store: store,
            surveys: ListSurveys(of: [], directory: session.lists, fingerprinter: fingerprinter),
            fingerprinter: fingerprinter,
            zones: zones,
            now: now,
            settle: environment.settle,
            selection: campaigns.selection,
            guards: GuardBasis(
                environment,
                of: project,
                hasFixedClock: session.context.hasFixedClock
            ).bypassing(bypassed),
            applied: state,
            interrupted: recorder,
            isFromState: true,
            busy: busy
        )
        let plan = try await mapPlanningErrors { () async throws(PlanningError) in
            try await planner.plan()
        }
        let next = [campaigns.next, plan.endOfFirstHold].compactMap(\.self).min()
        return DuePlan(
            plan: plan,
            refused: campaigns.refused,
            next: next,
            scheduled: state.occurrences.values.count { $0.status == .scheduled },
            version: version
        )
    }
}

/// What is due, and what comes next.
struct DuePlan {
    let plan: Plan
    /// The campaigns that are due and may not be sent.
    let refused: [AppliedCampaigns.Refused]
    /// When the next occurrence is due or resumes after quiet hours; nil if there is none.
    let next: Instant?
    /// The number of occurrences that are due now or later and have not started.
    let scheduled: Int
    /// The version of the state that it is based on, or an older one.
    let version: StateVersion

    /// Whether a run would send or record anything, or must report something.
    var hasWork: Bool {
        plan.hasChanges || !refused.isEmpty || plan.campaigns.contains(where: \.step.isWaiting)
    }
}
