import CampaignModel
import JSON

extension GuardOutcome {
    /// What of it a reviewer agrees to; nil for what is about the run, and for a campaign that is
    /// none of those given: the clock alone brings it up.
    ///
    /// Whoever applies may switch a guard off that the reviewer saw refuse, and it is recorded: that
    /// is no other plan.
    func reviewed(of campaigns: Set<CampaignID>) -> JSONValue? {
        guard !`guard`.isAboutTheRun else { return nil }
        var part: JSONObject = ["guard": .string(`guard`.rawValue)]
        switch subject {
        case .campaign(let id)?:
            guard campaigns.contains(id) else { return nil }
            part["campaign"] = .string(id.rawValue)
        case .audience(let id, let topic)?:
            part["audience"] = .string(id.rawValue)
            part["topic"] = topic.map { .string($0.name) }
        case nil: break
        }
        switch verdict {
        case .acknowledged: part["outcome"] = "acknowledged"
        case .refused, .bypassed: part["outcome"] = "refused"
        }
        return .object(part)
    }
}
