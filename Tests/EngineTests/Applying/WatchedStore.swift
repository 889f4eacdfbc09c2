import CampaignModel
import State
import Synchronization
import Time

/// A store that counts the commits of outcomes and can fail from one of them on.
///
/// A class, because of the count.
final class WatchedStore: StateStore, Sendable {
    private let store: any StateStore
    private let failsAtCommit: Int
    private let hasCommitted: @Sendable (Int) -> Void
    private let count = Mutex(0)

    /// `hasCommitted` gets the number of each commit.
    init(
        _ store: any StateStore,
        failsAtCommit: Int = .max,
        hasCommitted: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.store = store
        self.failsAtCommit = failsAtCommit
        self.hasCommitted = hasCommitted
    }

    var commits: Int { count.withLock { $0 } }

    func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID
    ) throws(StateStoreError) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number < failsAtCommit else { throw .diskFull(path: "full") }
        try store.record(outcomes, released: released, of: unit)
        hasCommitted(number)
    }
}

// MARK: - Forwarding

extension WatchedStore {
    func appliedState() throws(StateStoreError) -> AppliedState { try store.appliedState() }

    func compact(
        finishedBefore limit: Instant,
        at now: Instant
    ) throws(StateStoreError) -> Int {
        try store.compact(finishedBefore: limit, at: now)
    }

    func identity() throws(StateStoreError) -> StateIdentity { try store.identity() }

    func deviceGroups() throws(StateStoreError) -> [DeviceGroupRecord] {
        try store.deviceGroups()
    }

    func record(_ group: DeviceGroupRecord) throws(StateStoreError) { try store.record(group) }

    func removeDeviceGroup(_ name: DeviceGroupName) throws(StateStoreError) {
        try store.removeDeviceGroup(name)
    }

    func membershipTransport() throws(StateStoreError) -> MembershipTransport? {
        try store.membershipTransport()
    }

    func remember(_ transport: MembershipTransport) throws(StateStoreError) {
        try store.remember(transport)
    }

    func memberships(in scope: MembershipScope) throws(StateStoreError) -> [Membership] {
        try store.memberships(in: scope)
    }

    func members(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError) -> [Member] {
        try store.members(fingerprints, in: scope)
    }

    func recordedMembers(
        in scope: MembershipScope,
        after fingerprint: Fingerprint?,
        limit: Int
    ) throws(StateStoreError) -> [RecordedMember] {
        try store.recordedMembers(in: scope, after: fingerprint, limit: limit)
    }

    func standings(
        of fingerprints: [Fingerprint],
        in topic: Topic
    ) throws(StateStoreError) -> [Fingerprint: Set<MembershipStatus>] {
        try store.standings(of: fingerprints, in: topic)
    }

    func registrations(
        of list: ListID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [Registration] {
        try store.registrations(of: list, from: first, count: count)
    }

    func outcomes(of unit: UnitID, in range: Range<Int>) throws(StateStoreError) -> [Outcome] {
        try store.outcomes(of: unit, in: range)
    }

    func requests(
        of unit: UnitID,
        with outcome: Outcome,
        limit: Int
    ) throws(StateStoreError) -> [RequestOutcome] {
        try store.requests(of: unit, with: outcome, limit: limit)
    }

    func archivedPlan(_ digest: String) throws(StateStoreError) -> ArchivedPlan? {
        try store.archivedPlan(digest)
    }

    func keep(_ plan: ArchivedPlan) throws(StateStoreError) { try store.keep(plan) }

    func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        try await store.lock(for: worker, waiting: waiting)
    }

    func unlock() { store.unlock() }

    func beginRun(_ worker: Worker) throws(StateStoreError) -> RunID { try store.beginRun(worker) }

    func finishRun(
        _ run: RunID,
        status: RunStatus,
        tally: OutcomeTally,
        cause: String?,
        at moment: Instant
    ) throws(StateStoreError) {
        try store.finishRun(run, status: status, tally: tally, cause: cause, at: moment)
    }

    func record(_ changes: [DefinitionChange], in run: RunID) throws(StateStoreError) {
        try store.record(changes, in: run)
    }

    func beginList(_ list: ListID) throws(StateStoreError) { try store.beginList(list) }

    func append(
        _ registrations: [Registration],
        to list: ListID,
        first: Int
    ) throws(StateStoreError) {
        try store.append(registrations, to: list, first: first)
    }

    func open(
        _ occurrence: OpenedOccurrence,
        in run: RunID
    ) throws(StateStoreError) -> WorkUnitRecord {
        try store.open(occurrence, in: run)
    }

    func close(_ occurrence: OccurrenceID, as status: OccurrenceStatus) throws(StateStoreError) {
        try store.close(occurrence, as: status)
    }

    func record(
        _ members: [Member],
        as status: MembershipStatus,
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try store.record(members, as: status, in: scope)
    }

    func beginLeave(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try store.beginLeave(fingerprints, in: scope)
    }

    func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope,
        at moment: Instant
    ) throws(StateStoreError) {
        try store.finishJoin(results, in: scope, at: moment)
    }

    func finishLeave(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try store.finishLeave(results, in: scope)
    }
}

// MARK: - Forwarding: control and history

extension WatchedStore {
    func messageIDs(
        of unit: UnitID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [(request: Int, id: String)] {
        try store.messageIDs(of: unit, from: first, count: count)
    }

    func details(of unit: UnitID, in range: Range<Int>) throws(StateStoreError) -> [Int: String] {
        try store.details(of: unit, in: range)
    }

    func countDetails(of unit: UnitID, containing text: String) throws(StateStoreError) -> Int {
        try store.countDetails(of: unit, containing: text)
    }

    func hasList(_ list: ListID) throws(StateStoreError) -> Bool { try store.hasList(list) }

    func currentWriter() throws(StateStoreError) -> CurrentWriter { try store.currentWriter() }

    func deadCount() throws(StateStoreError) -> Int { try store.deadCount() }

    func deadRegistrations() throws(StateStoreError) -> DeadRegistrations {
        try store.deadRegistrations()
    }

    func runs(before: RunID?, limit: Int) throws(StateStoreError) -> [RunRecord] {
        try store.runs(before: before, limit: limit)
    }

    func sendings(of run: RunID) throws(StateStoreError) -> [RunOccurrence] {
        try store.sendings(of: run)
    }

    func membershipChanges(of run: RunID) throws(StateStoreError) -> [RunMembership] {
        try store.membershipChanges(of: run)
    }

    func pauses() throws(StateStoreError) -> [Pause] { try store.pauses() }

    func pause(_ pause: Pause) throws(StateStoreError) -> Bool { try store.pause(pause) }

    func liftPause(_ lifted: Pause) throws(StateStoreError) -> Bool {
        try store.liftPause(lifted)
    }

    func chainHead() throws(StateStoreError) -> ChainHead { try store.chainHead() }

    func chainHead(at count: Int64) throws(StateStoreError) -> ChainHead? {
        try store.chainHead(at: count)
    }

    func verifyHistory() throws(StateStoreError) -> ChainVerdict { try store.verifyHistory() }

    func restartChain() throws(StateStoreError) { try store.restartChain() }

    func note(_ deed: Worker) throws(StateStoreError) { try store.note(deed) }

    func request(_ resolution: RequestedResolution) throws(StateStoreError) -> Bool {
        try store.request(resolution)
    }

    func requestedResolutions() throws(StateStoreError) -> [RequestedResolution] {
        try store.requestedResolutions()
    }

    func perform(
        _ resolution: RequestedResolution,
        in run: RunID
    ) throws(StateStoreError) -> OutcomeTally {
        try store.perform(resolution, in: run)
    }

    func hold(_ occurrence: OccurrenceID, _ hold: Hold?) throws(StateStoreError) {
        try store.hold(occurrence, hold)
    }

    func markDead(_ fingerprints: [Fingerprint], at moment: Instant) throws(StateStoreError) {
        try store.markDead(fingerprints, at: moment)
    }

    func revive(_ fingerprints: [Fingerprint]) throws(StateStoreError) -> Int {
        try store.revive(fingerprints)
    }

    func record(_ sending: RunOccurrence, in run: RunID) throws(StateStoreError) {
        try store.record(sending, in: run)
    }

    func record(_ membership: RunMembership, in run: RunID) throws(StateStoreError) {
        try store.record(membership, in: run)
    }
}
