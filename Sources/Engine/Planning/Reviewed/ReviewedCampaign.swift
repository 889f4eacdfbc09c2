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

    /// Creates the part for a correction.
    ///
    /// - Parameters:
    ///   - corrected: The occurrences that it takes back.
    ///   - campaign: The name of the correction.
    ///   - definition: Its definition.
    init(
        correcting corrected: [OccurrenceID],
        with campaign: CampaignID,
        content definition: JSONValue
    ) {
        self.campaign = campaign
        let part = Correction(campaign: campaign, definition: definition, corrected: corrected)
        content = .object(Self.shape.json(of: .correction(part)))
    }

    /// Creates the part for an upstream rule that replies.
    ///
    /// `definition`: the definition of the reply.
    init(answering rule: CampaignID, content definition: JSONValue) {
        campaign = rule
        let part = Reply(campaign: rule, definition: definition)
        content = .object(Self.shape.json(of: .reply(part)))
    }

    /// Nil if there is nothing new to record for the campaign, and no interrupted send of it
    /// continues with a list that was edited.
    ///
    /// - Parameters:
    ///   - history: The campaign with its recorded state.
    ///   - name: Its old name, if it is renamed.
    ///   - reach: The declared reach of the topics that it addresses.
    ///   - resumed: Its interrupted sends that continue with a list that was edited.
    init?(
        _ history: CampaignHistory,
        formerly name: CampaignID?,
        reach: DeclaredReach,
        resumed: [ResumedList]
    ) {
        campaign = history.campaign.id
        let isRecorded = history.isChanged || name != nil || history.hasNewOccurrence
        guard isRecorded || !resumed.isEmpty else { return nil }
        let definition = Definition(
            content: history.content.content,
            occurrence: history.unsentOccurrence,
            formerName: name,
            reach: reach
        )
        let part = Part(
            campaign: campaign,
            definition: isRecorded ? definition : nil,
            resumed: resumed
        )
        content = .object(Self.shape.json(of: .part(part)))
    }
}

extension ReviewedCampaign {
    /// A definition to record.
    struct Definition {
        let content: JSONValue
        /// The only occurrence, if no part of it was sent.
        let occurrence: OccurrenceID?
        let formerName: CampaignID?
        let reach: DeclaredReach
    }

    /// A campaign in the files.
    struct Part {
        let campaign: CampaignID
        /// Nil if there is nothing new to record.
        let definition: Definition?
        let resumed: [ResumedList]
    }

    /// A campaign in the files that corrects another one.
    struct Correction {
        let campaign: CampaignID
        let definition: JSONValue
        let corrected: [OccurrenceID]
    }

    /// The reply of an upstream rule.
    struct Reply {
        let campaign: CampaignID
        let definition: JSONValue
    }

    enum Content {
        case gone(CampaignID)
        case part(Part)
        case correction(Correction)
        case reply(Reply)

        var campaign: CampaignID {
            switch self {
            case .gone(let campaign): campaign
            case .part(let part): part.campaign
            case .correction(let part): part.campaign
            case .reply(let part): part.campaign
            }
        }

        /// The definition of a correction or of a reply.
        var otherDefinition: JSONValue? {
            switch self {
            case .correction(let part): part.definition
            case .reply(let part): part.definition
            case .gone, .part: nil
            }
        }

        var correction: Correction? {
            if case .correction(let part) = self { part } else { nil }
        }

        var definition: Definition? {
            if case .part(let part) = self { part.definition } else { nil }
        }

        /// Nil if there are none.
        var resumed: [ResumedList]? {
            guard case .part(let part) = self, !part.resumed.isEmpty else { return nil }
            return part.resumed
        }
    }

    static let shape = JSONShape<Content>(
        "The definition of a campaign to record, its interrupted sends whose list was edited, or "
            + "`gone` if it was removed.",
        [
            .required("campaign", .text, about: "Name of the campaign.") {
                $0.campaign.rawValue
            },
            .optional(
                "definition",
                .anyObject,
                about: "Complete definition of the campaign, if it is recorded."
            ) { $0.definition?.content ?? $0.otherDefinition },
            .optional(
                "occurrence",
                .occurrence,
                about: "The only occurrence, if no part of it was sent."
            ) { $0.definition?.occurrence },
            .optional(
                "corrects",
                .list(of: .occurrence),
                about:
                    "Occurrences whose notifications the campaign replaces, if it is a correction."
            ) { $0.correction?.corrected },
            .optional(
                "reach",
                .dictionary(of: .count),
                about: "Declared reach of the topics that the campaign addresses."
            ) { $0.definition?.reach.members },
            .optional("renamed_from", .text, about: "Old name.") {
                $0.definition?.formerName?.rawValue
            },
            .optional(
                "resumed",
                .list(of: .object(ResumedList.shape)),
                about: "Interrupted sends that continue with a list that was edited."
            ) { $0.resumed },
            .optional("gone", .flag, about: "Always true.") {
                if case .gone = $0 { true } else { nil }
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
