package import CampaignModel

/// What can be selected, and what depends on what.
package struct SelectionCatalog: Sendable {
    package var campaigns: [SelectableCampaign]
    package var audiences: [SelectableAudience]

    package init(campaigns: [SelectableCampaign], audiences: [SelectableAudience]) {
        self.campaigns = campaigns
        self.audiences = audiences
    }
}

package struct SelectableCampaign: Hashable, Sendable {
    package let id: CampaignID
    /// The name that it had until now.
    package var formerID: CampaignID?
    package var labels: [String: String] = [:]
    /// Relative to the project's folder; nil for one that only the state knows.
    package var path: String?
    package var audience: AudienceID?
    /// The topics that decide whom it reaches.
    package var topics: [Topic] = []

    package init(id: CampaignID) {
        self.id = id
    }

    package init(_ campaign: Campaign, path: String?) {
        id = campaign.id
        formerID = campaign.formerID
        labels = campaign.labels
        self.path = path
        audience = campaign.audience
        topics = campaign.target.topics
    }
}

package struct SelectableAudience: Hashable, Sendable {
    package let id: AudienceID
    /// Of its document, or of the one that says what becomes of its members.
    package var paths: Set<String> = []
    package var labels: [String: String] = [:]
    /// What its members are, or were, subscribed to.
    package var topics: Set<Topic> = []

    package init(id: AudienceID) {
        self.id = id
    }
}

extension SelectionCatalog {
    /// What is chosen, with what it depends on, and without what depends on what is left out.
    ///
    /// A campaign depends on the memberships of its own audience and of those that keep its topics.
    ///
    /// - Throws: The first selector that matches nothing.
    package func selection(
        only: [String],
        except: [String]
    ) throws(SelectionError) -> Selection {
        let selectors = Selectors(only: only, except: except)
        var left = try matches(except)
        left.campaigns.formUnion(dependents(on: left.audiences).flatMap(\.names))
        guard !only.isEmpty else {
            return Selection(only: nil, except: left, selectors: selectors)
        }
        var chosen = try matches(only)
        chosen.campaigns.subtract(left.campaigns)
        for campaign in campaigns where chosen.campaigns.contains(campaign.id) {
            chosen.audiences.formUnion(audiences.filter(campaign.depends).map(\.id))
        }
        return Selection(only: chosen, except: left, selectors: selectors)
    }

    private func dependents(on audiences: Set<AudienceID>) -> [SelectableCampaign] {
        let left = self.audiences.filter { audiences.contains($0.id) }
        return campaigns.filter { left.contains(where: $0.depends) }
    }

    private func matches(_ texts: [String]) throws(SelectionError) -> Selection.Part {
        var part = Selection.Part()
        for text in texts {
            let selector = Selector(text, in: self)
            let campaigns = campaigns.filter(selector.matches)
            let audiences = audiences.filter(selector.matches)
            guard !campaigns.isEmpty || !audiences.isEmpty else {
                throw SelectionError(selector: text, candidates: candidates(for: selector))
            }
            part.campaigns.formUnion(campaigns.flatMap(\.names))
            part.audiences.formUnion(audiences.map(\.id))
        }
        return part
    }
}

extension SelectableCampaign {
    /// What was sent under the former name is its own history.
    var names: [CampaignID] { [id, formerID].compactMap(\.self) }

    fileprivate func depends(on audience: SelectableAudience) -> Bool {
        self.audience == audience.id || topics.contains(where: audience.topics.contains)
    }
}

/// A selector that matches nothing.
package struct SelectionError: Error, Hashable, Sendable {
    package let selector: String
    /// What could have been meant.
    package let candidates: [String]
}
