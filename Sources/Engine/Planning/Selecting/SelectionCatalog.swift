package import CampaignModel

/// Everything that can be selected, with its dependencies.
package struct SelectionCatalog: Sendable {
    package let campaigns: [SelectableCampaign]
    package let audiences: [SelectableAudience]

    package init(campaigns: [SelectableCampaign], audiences: [SelectableAudience]) {
        self.campaigns = campaigns
        self.audiences = audiences
    }
}

package struct SelectableCampaign: Hashable, Sendable {
    package let id: CampaignID
    /// The old name.
    package var formerID: CampaignID?
    package var labels: [String: String] = [:]
    /// Relative to the project's folder; nil if only the state contains it.
    package var path: String?
    package var audience: AudienceID?
    /// The topics that decide its recipients.
    package var topics: [Topic] = []

    package init(id: CampaignID, path: String? = nil) {
        self.id = id
        self.path = path
    }

    package init(_ campaign: Campaign, path: String?) {
        id = campaign.id
        formerID = campaign.formerID
        labels = campaign.labels
        self.path = path
        audience = campaign.audience
        topics = campaign.target.topics
    }

    /// A correction changes no membership.
    package init(_ correction: Correction, path: String?) {
        id = correction.id
        labels = correction.labels
        self.path = path
    }
}

package struct SelectableAudience: Hashable, Sendable {
    package let id: AudienceID
    /// The paths of its document, or of the document that determines what happens to its members.
    package var paths: Set<String> = []
    package var labels: [String: String] = [:]
    /// The topics that its members are or were subscribed to.
    package var topics: Set<Topic> = []

    package init(id: AudienceID) {
        self.id = id
    }
}

extension SelectionCatalog {
    /// Returns the selected parts with their dependencies, without parts that depend on excluded
    /// ones.
    ///
    /// A campaign depends on its audience's memberships and on the audiences that keep its topics.
    ///
    /// - Throws: The first selector without a match.
    package func selection(
        only: [String],
        except: [String]
    ) throws(SelectionError) -> Selection {
        let selectors = Selectors(only: only, except: except)
        let left = try withDependents(matches(except))
        guard !only.isEmpty else {
            return Selection(only: nil, except: left, selectors: selectors)
        }
        let chosen = try matches(only)
        return Selection(
            only: withDependencies(chosen, without: left),
            except: left,
            selectors: selectors
        )
    }

    private func withDependents(_ left: Selection.Part) -> Selection.Part {
        let dependents = dependents(on: left.audiences).flatMap(\.names)
        return Selection.Part(
            campaigns: left.campaigns.union(dependents),
            audiences: left.audiences
        )
    }

    private func withDependencies(
        _ chosen: Selection.Part,
        without left: Selection.Part
    ) -> Selection.Part {
        let names = chosen.campaigns.subtracting(left.campaigns)
        let needed = campaigns.filter { names.contains($0.id) }.flatMap { campaign in
            audiences.filter(campaign.depends).map(\.id)
        }
        return Selection.Part(campaigns: names, audiences: chosen.audiences.union(needed))
    }

    private func dependents(on audiences: Set<AudienceID>) -> [SelectableCampaign] {
        let left = self.audiences.filter { audiences.contains($0.id) }
        return campaigns.filter { left.contains(where: $0.depends) }
    }

    private func matches(_ texts: [String]) throws(SelectionError) -> Selection.Part {
        var names: Set<CampaignID> = []
        var chosen: Set<AudienceID> = []
        for text in texts {
            let selector = Selector(text, in: self)
            let campaigns = campaigns.filter(selector.matches)
            let audiences = audiences.filter(selector.matches)
            guard !campaigns.isEmpty || !audiences.isEmpty else {
                throw SelectionError(selector: text, candidates: candidates(for: selector))
            }
            names.formUnion(campaigns.flatMap(\.names))
            chosen.formUnion(audiences.map(\.id))
        }
        return Selection.Part(campaigns: names, audiences: chosen)
    }
}

extension SelectableCampaign {
    /// Sends under the old name are part of its history.
    var names: [CampaignID] { [id, formerID].compactMap(\.self) }

    fileprivate func depends(on audience: SelectableAudience) -> Bool {
        self.audience == audience.id || topics.contains(where: audience.topics.contains)
    }
}

/// A selector without a match.
package struct SelectionError: Error, Hashable, Sendable {
    package let selector: String
    /// Names that the user may have meant.
    package let candidates: [String]
}
