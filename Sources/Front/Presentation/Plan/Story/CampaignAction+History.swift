import CampaignMessages
import CampaignModel
import Planning

extension CampaignAction {
    /// Whether an earlier apply recorded a campaign that is sent once, and its send starts now.
    var isUnsent: Bool {
        guard case .send = step, sentBefore == nil, let source, source.schedule.rule == nil else {
            return false
        }
        return definition == nil || recorded != nil
    }

    /// Whether the campaign is due because its revision was raised after its time had passed.
    var isRaised: Bool {
        guard case .at(let moment)? = source?.schedule, let id = source?.onlyOccurrence else {
            return false
        }
        return times?.isRaised(after: moment.instant, for: id) ?? false
    }
}

extension CampaignStep {
    /// The key of a message that changes before its send.
    var redefinedKey: DeduplicationKey? {
        if case .redefine(let id, _) = self { DeduplicationKey(of: id) } else { nil }
    }
}
