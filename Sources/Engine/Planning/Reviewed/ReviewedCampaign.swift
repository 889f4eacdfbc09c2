import CampaignModel
import State
import JSON

/// What a reviewer agrees to of one campaign.
struct ReviewedCampaign: Hashable, Sendable {
    let campaign: CampaignID
    let content: JSONValue

    /// A campaign that is gone from the files: what of it is open is cancelled.
    init(gone campaign: CampaignID) {
        self.campaign = campaign
        content = ["campaign": .string(campaign.rawValue), "gone": true]
    }

    /// Nil where nothing is recorded of the campaign that is not recorded already.
    ///
    /// - Parameters:
    ///   - history: The campaign beside what the state knows.
    ///   - name: The name that it had until now, where it gets another.
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
    /// The only occurrence, as long as nothing was sent of it; nil for a rule, whose slots the
    /// clock makes.
    fileprivate var unsentOccurrence: OccurrenceID? {
        guard let id = campaign.onlyOccurrence else { return nil }
        if let last = lastRevision(of: .once), last > id.revision { return nil }
        switch record(id)?.status {
        case .dispatching, .finished: return nil
        case .cancelled where record(id)?.unit != nil: return nil
        case .scheduled, .cancelled, .expired, nil: return id
        }
    }

    /// Whether the only occurrence is still to be recorded.
    fileprivate var hasNewOccurrence: Bool {
        guard let id = unsentOccurrence else { return false }
        switch record(id)?.status {
        case nil, .cancelled: return true
        case .scheduled, .expired, .dispatching, .finished: return false
        }
    }
}
