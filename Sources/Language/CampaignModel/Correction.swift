/// A campaign that replaces the notifications of another campaign with a new text.
///
/// It has no audience and no schedule: it takes back what was sent, once.
package struct Correction: Hashable, Sendable {
    package let id: CampaignID
    package let about: String?
    package let owner: String?
    package let labels: [String: String]
    package let corrected: CorrectedSend
    package let message: RecallMessage

    package init(
        id: CampaignID,
        about: String? = nil,
        owner: String? = nil,
        labels: [String: String] = [:],
        corrected: CorrectedSend,
        message: RecallMessage
    ) {
        self.id = id
        self.about = about
        self.owner = owner
        self.labels = labels
        self.corrected = corrected
        self.message = message
    }
}

/// What a correction corrects.
package enum CorrectedSend: Hashable, Sendable, CustomStringConvertible {
    /// The occurrences of the campaign that were sent last.
    case last(of: CampaignID)
    case occurrence(OccurrenceID)

    /// - Parameter text: The name of a campaign or of an occurrence.
    package init?(_ text: String) {
        if let campaign = CampaignID(text) {
            self = .last(of: campaign)
        } else if let occurrence = OccurrenceID(parsing: text) {
            self = .occurrence(occurrence)
        } else {
            return nil
        }
    }

    package var campaign: CampaignID {
        switch self {
        case .last(let campaign): campaign
        case .occurrence(let occurrence): occurrence.campaign
        }
    }

    package var description: String {
        switch self {
        case .last(let campaign): campaign.rawValue
        case .occurrence(let occurrence): occurrence.description
        }
    }
}
