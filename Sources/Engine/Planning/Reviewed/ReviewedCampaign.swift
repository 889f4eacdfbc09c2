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
        content = ["campaign": .string(campaign.rawValue), "gone": true]
    }

    /// Nil if there is nothing new to record for the campaign.
    ///
    /// - Parameters:
    ///   - history: The campaign with its recorded state.
    ///   - name: Its old name, if it is renamed.
    init?(_ history: CampaignHistory, formerly name: CampaignID?) {
        guard history.isChanged || name != nil || history.hasNewOccurrence else { return nil }
        campaign = history.campaign.id
        var part: JSONObject = [
            "campaign": .string(campaign.rawValue),
            "definition": history.content.content,
        ]
        part["occurrence"] = history.unsentOccurrence.map { .string($0.description) }
        part["renamed_from"] = name.map { .string($0.rawValue) }
        content = .object(part)
    }
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
