import CampaignModel
import Time

/// What a plan does about a part of a campaign, or about a campaign without parts.
struct PlannedPart {
    let history: CampaignHistory
    let times: DueTimes
    let steps: [CampaignStep]
}

/// What a plan does about a part, before it is known how far the other parts are.
struct PartDraft {
    let history: CampaignHistory
    let times: DueTimes
    /// Without those of the rule.
    let steps: [CampaignStep]
    let rule: RulePlan?
    /// When the revision of a campaign was raised whose time had passed.
    let raised: Instant?

    /// The time that is recorded with the definition.
    var slotsAfter: Instant? { rule?.slotsAfter ?? raised }

    /// `end`: the time that is recorded for all parts.
    func planned(upTo end: Instant?) -> PlannedPart {
        var rule = rule
        rule?.scheduleNext(planned: end)
        return PlannedPart(history: history, times: times, steps: steps + (rule?.steps ?? []))
    }
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
            .expire, .skip, .miss, .unschedule, .outlive, .redefine, .stopped, .cancel, .retire,
            .correct, .uncorrectable, .answer:
            false
        }
    }
}
