import CampaignModel
import JSON
import State

/// The part of one campaign that a reviewer approves.
struct ReviewedCampaign: Hashable, Sendable {
    let campaign: CampaignID
    let content: JSONValue

    /// Creates the part for a removed campaign: its open occurrences are cancelled.
    init(gone campaign: CampaignID) {
        self.campaign = campaign
        content = .object(Self.shape.json(of: .gone(campaign)))
    }

    /// Nil if there is nothing new to record for the campaign.
    ///
    /// - Parameters:
    ///   - history: The campaign with its recorded state.
    ///   - name: Its old name, if it is renamed.
    init?(_ history: CampaignHistory, formerly name: CampaignID?) {
        guard history.isChanged || name != nil || history.hasNewOccurrence else { return nil }
        campaign = history.campaign.id
        let definition = Definition(
            campaign: campaign,
            content: history.content.content,
            occurrence: history.unsentOccurrence,
            formerName: name
        )
        content = .object(Self.shape.json(of: .definition(definition)))
    }
}

extension ReviewedCampaign {
    /// A definition to record.
    struct Definition {
        let campaign: CampaignID
        let content: JSONValue
        /// The only occurrence, if no part of it was sent.
        let occurrence: OccurrenceID?
        let formerName: CampaignID?
    }

    enum Content {
        case gone(CampaignID)
        case definition(Definition)

        var definition: Definition? {
            if case .definition(let definition) = self { definition } else { nil }
        }
    }

    static let shape = JSONShape<Content>(
        "The complete definition of a campaign to record, or `gone` if it was removed.",
        [
            .required("campaign", .text, about: "Name of the campaign.") { content in
                switch content {
                case .gone(let campaign): campaign.rawValue
                case .definition(let definition): definition.campaign.rawValue
                }
            },
            .optional("definition", .anyObject, about: "Definition of the campaign.") {
                $0.definition?.content
            },
            .optional(
                "occurrence",
                .occurrence,
                about: "The only occurrence, if no part of it was sent."
            ) { $0.definition?.occurrence },
            .optional("renamed_from", .text, about: "Old name.") {
                $0.definition?.formerName?.rawValue
            },
            .optional("gone", .flag, about: "Always true.") {
                $0.definition == nil ? true : nil
            },
        ]
    )
}

extension CampaignHistory {
    /// The only occurrence if no part of it was sent; nil for a rule, whose slots depend on the
    /// clock.
    fileprivate var unsentOccurrence: OccurrenceID? {
        guard let id = campaign.onlyOccurrence else { return nil }
        if let last = lastRevision(of: .once), last > id.revision { return nil }
        switch record(id)?.status {
        case .dispatching, .finished: return nil
        case .cancelled where record(id)?.unit != nil: return nil
        case .scheduled, .cancelled, .expired, nil: return id
        }
    }

    /// Whether the only occurrence must still be recorded.
    fileprivate var hasNewOccurrence: Bool {
        guard let id = unsentOccurrence else { return false }
        switch record(id)?.status {
        case nil, .cancelled: return true
        case .scheduled, .expired, .dispatching, .finished: return false
        }
    }
}
