package import CampaignModel

/// Reads what was last applied; needs no lock.
///
/// Every call except `appliedState` costs as much as what it returns, however many other campaigns
/// the state contains; names and numbers of all campaigns are read from indexes.
package protocol StateReader: Sendable {
    /// Everything that was applied, as of one instant; only a comparison with the files needs it.
    func appliedState() async throws(StateStoreError) -> AppliedState

    func identity() async throws(StateStoreError) -> StateIdentity

    /// The names of the campaigns that have a definition or ever had an occurrence.
    func campaigns() async throws(StateStoreError) -> Set<CampaignID>

    /// The definitions of these campaigns; a campaign without a definition is not in the result.
    func definitions(
        of campaigns: Set<CampaignID>
    ) async throws(StateStoreError) -> [CampaignID: CampaignDefinition]

    /// Nil if the state has no such occurrence.
    func occurrence(_ id: OccurrenceID) async throws(StateStoreError) -> OccurrenceRecord?

    /// The selected occurrences, by campaign, slot and revision.
    func occurrences(
        _ selection: OccurrenceSelection
    ) async throws(StateStoreError) -> [OccurrenceRecord]

    /// How many occurrences `.unsettled` does not select.
    func settledOccurrences() async throws(StateStoreError) -> SettledOccurrences

    /// A work unit as it is now.
    func unit(_ id: UnitID) async throws(StateStoreError) -> WorkUnitRecord

    func guards() async throws(StateStoreError) -> AppliedGuards

    /// Whether a list is stored, in whole or in part.
    func hasList(_ list: ListID) async throws(StateStoreError) -> Bool

    /// A range of a stored list; shorter than `count` only at the list's end.
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

/// Which occurrences a reader asks for.
package enum OccurrenceSelection: Hashable, Sendable {
    case all
    /// All occurrences of these campaigns.
    case of(Set<CampaignID>)
    /// Those whose sending began and has not ended.
    case dispatching
    /// Those that are scheduled or dispatching, or have requests of unknown outcome.
    case unsettled
}

/// How many occurrences ended with every outcome known.
package struct SettledOccurrences: Hashable, Sendable {
    package let finished: Int
    package let cancelled: Int
    package let expired: Int
    /// How many of them have only their counts left.
    package let compacted: Int
    /// How many of their requests were repeated under policy.
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
