import CampaignModel
import Time

/// What a plan does about a part of a campaign, or about a campaign without parts.
struct PlannedPart {
    let history: CampaignHistory
    let times: DueTimes
    let steps: [CampaignStep]
    /// The rule makes only slots that are due later; nil without a rule.
    let slotsAfter: Instant?
}

/// A step of one part.
struct PartStep {
    let part: PlannedPart
    let step: CampaignStep

    /// Returns the steps of all parts, without those that another part makes superfluous.
    static func merged(_ parts: [PlannedPart]) -> [PartStep] {
        let all = parts.flatMap { part in part.steps.map { PartStep(part: part, step: $0) } }
        let isDivided = parts.contains { $0.history.campaign.division != .shared }
        guard isDivided else { return all }
        let isGoingOn = all.contains { !$0.step.isAboutCampaign }
        var seen: Set<CampaignStep> = []
        return all.filter { step in
            guard step.step.isAboutCampaign else { return true }
            let isKept = step.step != .unchanged && !(isGoingOn && step.step == .ended)
            return isKept && seen.insert(step.step).inserted
        }
    }
}

extension CampaignStep {
    /// Whether the step describes the campaign and not an occurrence.
    fileprivate var isAboutCampaign: Bool {
        switch self {
        case .alreadySent, .lowered, .ended, .unchanged: true
        case .send, .handOver, .resume, .lapse, .paused, .held, .rename, .schedule, .reschedule,
            .expire, .skip, .miss, .unschedule, .outlive, .redefine, .stopped, .cancel, .retire:
            false
        }
    }
}
