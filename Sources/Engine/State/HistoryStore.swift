package import CampaignModel
package import Time

/// Records runs, their results, and the chain that shows whether the history was edited.
package protocol HistoryStore: Sendable {
    /// Begins a run and raises the serial. Runs that are still marked as running become abandoned.
    func beginRun(_ worker: Worker) async throws(StateStoreError) -> RunID

    func finishRun(_ run: RunID, as end: RunEnd) async throws(StateStoreError)

    /// Replaces the run's earlier record of the same occurrence.
    func record(_ sending: RunOccurrence, in run: RunID) async throws(StateStoreError)

    /// Records it and closes its occurrence as finished, in one transaction.
    func finish(_ sending: RunOccurrence, in run: RunID) async throws(StateStoreError)

    /// Replaces the run's earlier record of the same scope.
    func record(_ membership: RunMembership, in run: RunID) async throws(StateStoreError)

    /// The runs before the given one, or all runs, newest first.
    func runs(before: RunID?, limit: Int) async throws(StateStoreError) -> [RunRecord]

    /// The sends of a run, by campaign, slot and revision.
    func sendings(of run: RunID) async throws(StateStoreError) -> [RunOccurrence]

    /// The sends of an occurrence by all runs, oldest run first.
    func sendings(
        of occurrence: OccurrenceID
    ) async throws(StateStoreError) -> [(run: RunID, sending: RunOccurrence)]

    func membershipChanges(of run: RunID) async throws(StateStoreError) -> [RunMembership]

    /// The runs that last changed the occurrences and the definitions; those whose run is lost are
    /// omitted.
    func lastChanges() async throws(StateStoreError) -> LastChanges

    /// The end of the history; a copy outside of the state reveals whether entries were removed or
    /// rewritten.
    func chainHead() async throws(StateStoreError) -> ChainHead

    /// The head when the chain had `count` entries; nil if it has fewer.
    func chainHead(at count: Int64) async throws(StateStoreError) -> ChainHead?

    /// Checks all runs against the chain.
    func verifyHistory() async throws(StateStoreError) -> ChainVerdict

    /// Starts a new chain with the existing runs, because the original entries are lost. Earlier
    /// runs are marked as older than the chain.
    func restartChain() async throws(StateStoreError)
}

extension HistoryStore {
    /// The newest runs, newest first.
    package func runs(limit: Int) async throws(StateStoreError) -> [RunRecord] {
        try await runs(before: nil, limit: limit)
    }
}

/// The end of a run, as recorded.
package struct RunEnd: Hashable, Sendable {
    package let status: RunStatus
    package let tally: OutcomeTally
    /// Why the run stopped; never names a registration.
    package let cause: String?
    /// At most one of each kind; a kind without one keeps its earlier measurement.
    package let traffic: [TrafficMeasurement]
    package let moment: Instant

    package init(
        status: RunStatus,
        tally: OutcomeTally,
        cause: String? = nil,
        traffic: [TrafficMeasurement] = [],
        at moment: Instant
    ) {
        self.status = status
        self.tally = tally
        self.cause = cause
        self.traffic = traffic
        self.moment = moment
    }
}
