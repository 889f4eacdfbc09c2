import CampaignMessages
package import CampaignModel
package import RegistrationLists
package import State

extension Project {
    /// Returns the lists that the next apply probably stores, with the columns of their messages:
    /// those of campaigns that were neither sent nor scheduled, without the lists that are read when
    /// their sends begin.
    ///
    /// It is an estimate, made before the lists are read. Another list is read again when it is
    /// stored.
    package func listsToStore(
        _ reader: any StateReader
    ) async throws(StateStoreError) -> Set<ListContent> {
        let campaigns = campaigns.filter { $0.list != nil }
        guard !campaigns.isEmpty else { return [] }
        let names = Set(campaigns.flatMap(\.names))
        let definitions = try await reader.definitions(of: names)
        let records = Dictionary(
            grouping: try await reader.occurrences(.of(names)),
            by: \.id.campaign
        )
        var contents: Set<ListContent> = []
        for campaign in campaigns {
            let isStored = campaign.names.contains { definitions[$0]?.sending?.list != nil }
            let isSent = campaign.names.flatMap { records[$0] ?? [] }.contains { record in
                campaign.onlyOccurrence.map { only in
                    record.id.slot == only.slot && record.id.revision >= only.revision
                        && record.happened
                } ?? false
            }
            guard !isStored, !isSent, let list = campaign.list else { continue }
            contents.insert(ListContent(list, columns: columns(of: campaign)))
        }
        return contents
    }
}

extension Campaign {
    fileprivate var list: RegistrationList? {
        guard case .registrations(let list) = target, !list.isReadAtSend else { return nil }
        return list
    }

    /// Its names in the state.
    fileprivate var names: [CampaignID] { [id] + [formerID].compactMap(\.self) }
}
