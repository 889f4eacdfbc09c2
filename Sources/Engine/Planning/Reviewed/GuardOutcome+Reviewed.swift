import CampaignModel
import JSON

extension GuardOutcome {
    /// Returns the part that a reviewer approves.
    ///
    /// Nil for outcomes about the run, and for campaigns that are not in `campaigns`, because only
    /// the clock causes those. The user who applies may switch off a guard that refused in review.
    /// That is recorded and does not change the plan.
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
