package import CampaignModel
package import JSON

/// Reads the applied state; needs no lock.
///
/// The cost of every call except `appliedState` depends on the size of its result, not on the
/// number of other campaigns; names and numbers of all campaigns are read from indexes.
package protocol StateReader: Sendable {
    /// The whole applied state at one instant; only a comparison with the files needs it.
    func appliedState() async throws(StateStoreError) -> AppliedState

    func identity() async throws(StateStoreError) -> StateIdentity

    /// - Throws: `.displaced` if another file is in the state's place, or none.
    func version() async throws(StateStoreError) -> StateVersion

    /// The names of the campaigns that have a definition or ever had an occurrence.
    func campaigns() async throws(StateStoreError) -> Set<CampaignID>

    /// The definitions of these campaigns; campaigns without a definition are omitted.
    func definitions(
        of campaigns: Set<CampaignID>
    ) async throws(StateStoreError) -> [CampaignID: CampaignDefinition]

    /// Nil if the state has no such occurrence.
    func occurrence(_ id: OccurrenceID) async throws(StateStoreError) -> OccurrenceRecord?

    /// The selected occurrences, by campaign, slot and revision.
    func occurrences(
        _ selection: OccurrenceSelection
    ) async throws(StateStoreError) -> [OccurrenceRecord]

    /// The number of occurrences that `.unsettled` does not select.
    func settledOccurrences() async throws(StateStoreError) -> SettledOccurrences

    /// A work unit as it is now.
    func unit(_ id: UnitID) async throws(StateStoreError) -> WorkUnitRecord

    func guards() async throws(StateStoreError) -> AppliedGuards

    /// The settings of the environment at the last apply, in the form of `AppliedEnvironment`; nil
    /// before.
    func environment() async throws(StateStoreError) -> JSONValue?

    /// The last measurement of each kind.
    func traffic() async throws(StateStoreError) -> [TrafficMeasurement]

    /// Whether a list is stored, in whole or in part.
    func hasList(_ list: ListID) async throws(StateStoreError) -> Bool

    /// All lists that are stored, in whole or in part.
    func storedLists() async throws(StateStoreError) -> Set<ListID>

    /// The beginnings of stored lists, in the same order; each has at most `count` rows.
    func beginnings(
        of lists: [ListID],
        count: Int
    ) async throws(StateStoreError) -> [ListPage]

    /// A range of a stored list with its values; shorter than `count` only at the list's end.
    func page(
        of list: ListID,
        from first: Int,
        count: Int
    ) async throws(StateStoreError) -> ListPage

    /// What a stored list contains.
    func shape(of list: ListID) async throws(StateStoreError) -> ListShape

    /// The rows of `page`.
    func rows(
        of list: ListID,
        from first: Int,
        count: Int
    ) async throws(StateStoreError) -> [RegistrationRow]

    /// The registrations of a range of a stored list; shorter than `count` only at the list's end.
    func registrations(
        of list: ListID,
        from first: Int,
        count: Int
    ) async throws(StateStoreError) -> [Registration]
}

extension StateReader {
    /// Nil if the campaign has no definition.
    package func definition(
        of campaign: CampaignID
    ) async throws(StateStoreError) -> CampaignDefinition? {
        try await definitions(of: [campaign])[campaign]
    }

    /// Whether the campaign has a definition or ever had an occurrence.
    package func contains(_ campaign: CampaignID) async throws(StateStoreError) -> Bool {
        if try await definition(of: campaign) != nil { return true }
        return try await !occurrences(.of([campaign])).isEmpty
    }
}

/// The occurrences that a reader requests.
package enum OccurrenceSelection: Hashable, Sendable {
    case all
    /// All occurrences of these campaigns.
    case of(Set<CampaignID>)
    /// Occurrences whose send has started and has not ended.
    case dispatching
    /// Occurrences that are scheduled or dispatching, or that have unknown outcomes.
    case unsettled
    /// Recalls that are requested or in progress; cheap.
    case openRecalls
    /// Replies to messages of devices that are in progress; cheap.
    case openReplies
}

/// The number of occurrences that ended with every outcome known.
package struct SettledOccurrences: Hashable, Sendable {
    package let finished: Int
    package let cancelled: Int
    package let expired: Int
    /// The number of those of which only the counts are stored.
    package let compacted: Int
    /// The number of their requests that were retried under the policy.
    package let repeated: Int

    package init(finished: Int, cancelled: Int, expired: Int, compacted: Int, repeated: Int) {
        self.finished = finished
        self.cancelled = cancelled
        self.expired = expired
        self.compacted = compacted
        self.repeated = repeated
    }

    package var count: Int { finished + cancelled + expired }
}
