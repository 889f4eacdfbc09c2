package import CampaignModel
package import JSON
package import Time

/// Where definitions, memberships, the ledger and the runs of one environment are kept.
///
/// Every writing call is one transaction, durable when it returns: power may fail directly
/// after. Reading needs no lock; writing needs the writer's lock, except making the state.
package protocol StateStore: Sendable {
    // MARK: Reading

    func appliedState() throws(StateStoreError) -> AppliedState

    func identity() throws(StateStoreError) -> StateIdentity

    /// How memberships are changed where nothing else is said; nil until FCM made it necessary.
    func membershipTransport() throws(StateStoreError) -> MembershipTransport?

    /// The device groups that are kept account of, by name.
    func deviceGroups() throws(StateStoreError) -> [DeviceGroupRecord]

    /// The members of one audience in one topic, sorted by fingerprint.
    func memberships(in scope: MembershipScope) throws(StateStoreError) -> [Membership]

    /// The stored registrations of members, in the order of the fingerprints given.
    func members(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError) -> [Member]

    /// The members of one audience in one topic that follow a fingerprint, or the first ones;
    /// sorted by fingerprint, fewer than `limit` only at the end.
    func recordedMembers(
        in scope: MembershipScope,
        after fingerprint: Fingerprint?,
        limit: Int
    ) throws(StateStoreError) -> [RecordedMember]

    /// As what these registrations are recorded in a topic, for whatever audiences; who is
    /// recorded for none is not in it.
    func standings(
        of fingerprints: [Fingerprint],
        in topic: Topic
    ) throws(StateStoreError) -> [Fingerprint: Set<MembershipStatus>]

    /// A stretch of a stored list; shorter than asked for only at the list's end.
    func registrations(
        of list: ListID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [Registration]

    /// The outcomes of the requests in a range of a unit, one each.
    func outcomes(of unit: UnitID, in range: Range<Int>) throws(StateStoreError) -> [Outcome]

    /// The requests of a unit with this outcome, in order, with their details; at most `limit`.
    func requests(
        of unit: UnitID,
        with outcome: Outcome,
        limit: Int
    ) throws(StateStoreError) -> [RequestOutcome]

    /// The ids of accepted messages of a unit that keeps them, of the requests from `first` on, in
    /// the order of the requests.
    ///
    /// - Throws: `.damagedIDs` where what keeps them is missing or torn; the ledger needs it
    ///   for nothing else.
    func messageIDs(
        of unit: UnitID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [(request: Int, id: String)]

    /// The details of the requests in a range of a unit, where there are any.
    func details(of unit: UnitID, in range: Range<Int>) throws(StateStoreError) -> [Int: String]

    /// How many details of a unit contain a text.
    func countDetails(of unit: UnitID, containing text: String) throws(StateStoreError) -> Int

    /// Whether a list is stored, whole or in part.
    func hasList(_ list: ListID) throws(StateStoreError) -> Bool

    /// How many registrations FCM called dead.
    func deadCount() throws(StateStoreError) -> Int

    /// All of them.
    func deadRegistrations() throws(StateStoreError) -> DeadRegistrations

    /// The runs that came before one, or all of them; the newest first.
    func runs(before: RunID?, limit: Int) throws(StateStoreError) -> [RunRecord]
    func sendings(of run: RunID) throws(StateStoreError) -> [RunOccurrence]
    func membershipChanges(of run: RunID) throws(StateStoreError) -> [RunMembership]

    /// The plan with this digest, as it was kept last; nil where none is.
    func archivedPlan(_ digest: String) throws(StateStoreError) -> ArchivedPlan?

    /// How far the history goes; whoever keeps it elsewhere can see whether it was cut off or
    /// written anew.
    func chainHead() throws(StateStoreError) -> ChainHead

    /// What the head was when the chain had so many entries; nil where it has fewer.
    func chainHead(at count: Int64) throws(StateStoreError) -> ChainHead?

    /// Looks whether the runs are what was written, reading all of them.
    func verifyHistory() throws(StateStoreError) -> ChainVerdict

    // MARK: Control: needs no lock

    /// Keeps a plan as the newest one, in place of one with the same digest; those beyond
    /// `ArchivedPlan.limit` go, but for those of which no run came to its end.
    func keep(_ plan: ArchivedPlan) throws(StateStoreError)

    /// Enters into the history what is done without a run.
    func note(_ deed: Worker) throws(StateStoreError)

    /// Cheap: a dispatcher reads it once a second.
    func pauses() throws(StateStoreError) -> [Pause]

    /// False where that scope is paused already.
    func pause(_ pause: Pause) throws(StateStoreError) -> Bool

    /// False where that scope was not paused; `lifted` says who lifts it and when.
    func liftPause(_ lifted: Pause) throws(StateStoreError) -> Bool

    /// Asks the writer for a resolution; false where the number of unknown requests is not the one
    /// given, or one is asked for already.
    func request(_ resolution: RequestedResolution) throws(StateStoreError) -> Bool

    /// What was asked for and not performed, the oldest first.
    func requestedResolutions() throws(StateStoreError) -> [RequestedResolution]

    // MARK: The writer's lock

    /// Who holds the lock at this moment; takes nothing from anybody.
    func currentWriter() throws(StateStoreError) -> CurrentWriter

    /// Waits until this process is the only writer.
    ///
    /// - Throws: `.locked` with the holder when the time is up.
    func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError)

    func unlock()

    // MARK: Writing

    /// Gives the unknown requests of an occurrence another outcome, lifts its hold, and with that
    /// has done what was asked for: accepted ("resolved: sent"), returned, or cancelled
    /// ("resolved: dropped").
    ///
    /// A finished occurrence of which something is sent again is dispatching again. Where the
    /// number of unknown requests is not the one that the author saw, nothing changes but that it
    /// is no longer asked for.
    ///
    /// - Returns: how many requests got which outcome.
    func perform(
        _ resolution: RequestedResolution,
        in run: RunID
    ) throws(StateStoreError) -> OutcomeTally

    /// Holds a sending, or lifts what holds it.
    func hold(_ occurrence: OccurrenceID, _ hold: Hold?) throws(StateStoreError)

    /// Notes registrations as dead; those that are noted already stay as they are.
    func markDead(_ fingerprints: [Fingerprint], at moment: Instant) throws(StateStoreError)

    /// Takes registrations for living again; returns how many of them were dead.
    func revive(_ fingerprints: [Fingerprint]) throws(StateStoreError) -> Int

    /// Notes what a run did, in place of what it noted of the same occurrence or scope before.
    func record(_ sending: RunOccurrence, in run: RunID) throws(StateStoreError)
    func record(_ membership: RunMembership, in run: RunID) throws(StateStoreError)

    /// Begins the history's chain anew with what is there, because what was written can't be had
    /// back; the runs until now are from before it.
    func restartChain() throws(StateStoreError)

    /// Begins a run and raises the serial. Runs still marked as running become abandoned.
    func beginRun(_ worker: Worker) throws(StateStoreError) -> RunID

    /// `cause` says why it stopped, without naming a registration.
    func finishRun(
        _ run: RunID,
        status: RunStatus,
        tally: OutcomeTally,
        cause: String?,
        at moment: Instant
    ) throws(StateStoreError)

    func record(_ changes: [DefinitionChange], in run: RunID) throws(StateStoreError)

    /// Empties a list that is about to be stored, as it may have been left half-written.
    func beginList(_ list: ListID) throws(StateStoreError)

    /// Appends registrations; `first` is the number of those stored before.
    func append(
        _ registrations: [Registration],
        to list: ListID,
        first: Int
    ) throws(StateStoreError)

    /// Marks an occurrence as dispatching and makes its unit, with every request intended.
    func open(
        _ occurrence: OpenedOccurrence,
        in run: RunID
    ) throws(StateStoreError) -> WorkUnitRecord

    /// Records outcomes and, where given, raises the released mark, in one transaction.
    ///
    /// Ids of messages that the unit keeps are durable no later. Where only they cannot be kept,
    /// the rest is recorded and then the error thrown.
    func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID
    ) throws(StateStoreError)

    /// Gives an occurrence its last status, whether it was scheduled or dispatching, and drops its
    /// stored list once nothing needs it: no sending, no unknown request and no hold.
    func close(_ occurrence: OccurrenceID, as status: OccurrenceStatus) throws(StateStoreError)

    /// Drops the single outcomes, their details and the message ids of what finished before a moment;
    /// what is unknown or held stays, and so do all counts.
    ///
    /// - Returns: how many sendings.
    func compact(
        finishedBefore limit: Instant,
        at now: Instant
    ) throws(StateStoreError) -> Int

    /// Records members under a status, whether they were members before or not.
    func record(
        _ members: [Member],
        as status: MembershipStatus,
        in scope: MembershipScope
    ) throws(StateStoreError)

    /// Keeps what is known of a device group, in place of what was.
    func record(_ group: DeviceGroupRecord) throws(StateStoreError)
    /// Keeps no account of a device group any more.
    func removeDeviceGroup(_ name: DeviceGroupName) throws(StateStoreError)

    /// Keeps how memberships are changed from now on.
    func remember(_ transport: MembershipTransport) throws(StateStoreError)

    /// Records members as leaving, before the request that does it.
    func beginLeave(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError)

    /// Joined members become joined or refused; members that left are removed, also the refused.
    ///
    /// `moment`: when the last of them joined.
    func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope,
        at moment: Instant
    ) throws(StateStoreError)
    func finishLeave(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) throws(StateStoreError)
}

extension StateStore {
    /// The newest runs, the newest first.
    package func runs(limit: Int) throws(StateStoreError) -> [RunRecord] {
        try runs(before: nil, limit: limit)
    }

    /// Records members as joining, before the request that does it.
    package func beginJoin(
        _ members: [Member],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try record(members, as: .joining, in: scope)
    }
}

/// A change of what the state says a campaign is, or of when it is due.
package enum DefinitionChange: Hashable, Sendable {
    /// Defines a campaign or replaces its definition.
    case define(CampaignDefinition)
    /// Removes a campaign's definition; its occurrences stay as history.
    case retire(CampaignID)
    /// Records an occurrence as scheduled, or moves the moment of one that is.
    case schedule(OccurrenceID, due: Instant)
    /// The moment passed too long ago; nothing is sent.
    case expire(OccurrenceID, due: Instant)
    /// Cancels an occurrence whose moment lies ahead.
    case cancel(OccurrenceID)
    /// Gives a campaign, with its definition, occurrences and pause, another name, under which
    /// there is none yet.
    case rename(CampaignID, to: CampaignID)
    /// From now on the campaign's rule makes only slots later than this.
    case advance(CampaignID, slotsAfter: Instant)
    /// The state is of the project with this id, as FCM knows it.
    case pin(projectID: String)
    /// A membership may become this, whatever it takes.
    case aim(MembershipScope, at: MembershipGoal)
}

/// What an occurrence is opened with.
package struct OpenedOccurrence: Hashable, Sendable {
    package let id: OccurrenceID
    package let due: Instant
    package let message: JSONValue
    package let target: UnitTarget
    /// How many requests: 1 for a topic or condition, else the length of the list.
    package let count: Int
    package let deduplicationKey: String?
    /// Whether the ids of accepted messages are kept (`record: ids`).
    package let keepsIDs: Bool

    package init(
        id: OccurrenceID,
        due: Instant,
        message: JSONValue,
        target: UnitTarget,
        count: Int,
        deduplicationKey: String? = nil,
        keepsIDs: Bool = false
    ) {
        self.id = id
        self.due = due
        self.message = message
        self.target = target
        self.count = count
        self.deduplicationKey = deduplicationKey
        self.keepsIDs = keepsIDs
    }
}
