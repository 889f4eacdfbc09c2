package import CampaignModel
package import RegistrationLists

/// A source that was not read, and what cannot be planned without it.
package struct UnreadSource: Hashable, Sendable {
    package let source: ListSourceID
    /// Sorted by name.
    package let campaigns: [CampaignID]
    /// Sorted by name.
    package let audiences: [AudienceID]
}

extension Planner {
    /// The sources without which a part of the selection cannot be planned, sorted by name.
    ///
    /// A campaign whose list is read when its send begins is planned without its source.
    ///
    /// An audience cannot be planned if another one that was not read may want members of its
    /// topics: their leaves are unknown. The same holds for the leaves of removed audiences.
    package static func unreadSources(
        in project: Project,
        surveys: ListSurveys,
        selection: Selection
    ) -> [UnreadSource] {
        var campaigns: [ListSourceID: Set<CampaignID>] = [:]
        var audiences: [ListSourceID: Set<AudienceID>] = [:]
        for campaign in project.campaigns where selection.includes(campaign.id) {
            guard case .registrations(let list) = campaign.target, !list.isReadAtSend else {
                continue
            }
            for source in surveys.unreadSources(of: list) {
                campaigns[source, default: []].insert(campaign.id)
            }
        }
        let hasRemovals = project.removals.contains { selection.includes($0.audience) }
        for audience in project.audiences {
            let unread = surveys.unreadSources(of: audience.list)
            guard !unread.isEmpty else { continue }
            let topics = Set(audience.subscribe ?? [])
            let affected = project.audiences.filter { other in
                selection.includes(other.id)
                    && !topics.isDisjoint(with: other.subscribe ?? [])
            }
            for source in unread {
                audiences[source, default: []].formUnion(affected.map(\.id))
                if hasRemovals, !topics.isEmpty {
                    audiences[source, default: []].insert(audience.id)
                }
            }
        }
        let sources = Set(campaigns.keys).union(audiences.filter { !$0.value.isEmpty }.keys)
        return sources.sorted().map { source in
            UnreadSource(
                source: source,
                campaigns: campaigns[source, default: []].sorted(),
                audiences: audiences[source, default: []].sorted()
            )
        }
    }

    /// Whether the campaign is planned: it is selected, and its list was read.
    func includes(_ campaign: Campaign) -> Bool {
        selection.includes(campaign.id) && !unread.contains { $0.campaigns.contains(campaign.id) }
    }

    /// Whether the audience is planned.
    func includes(_ audience: Audience) -> Bool {
        selection.includes(audience.id) && !unread.contains { $0.audiences.contains(audience.id) }
    }
}

extension ListSurveys {
    /// The sources that were not read and whose outputs are the list or lists of the set.
    func unreadSources(of list: RegistrationList) -> [ListSourceID] {
        guard let first = unreadSource(self[list]) else { return [] }
        return Set(list.leaves.compactMap { unreadSource(self[$0]) } + [first]).sorted()
    }

    private func unreadSource(_ survey: Survey?) -> ListSourceID? {
        if case .failure(.sourceNotRead(let source))? = survey { source } else { nil }
    }
}
