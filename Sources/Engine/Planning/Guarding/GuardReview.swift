import CampaignModel
import State

/// Applies every guard to a plan.
///
/// Guards check only what the plan starts, schedules or changes. They checked an occurrence in
/// progress when it started, and it continues.
struct GuardReview {
    let draft: DraftPlan
    let project: Project
    let planner: Planner
    var basis: GuardBasis { planner.guards }
    var applied: AppliedState { draft.applied }
    var actions: PlannedActions { draft.actions }
    var limits: Guards { basis.limits }

    /// In the order of the guards, then of the plan.
    func outcomes() -> [GuardOutcome] {
        // The apply has checked the definitions in the state.
        if planner.isFromState { return runOutcomes() }
        let campaigns =
            limits.maximumRecipients != nil || limits.maximumChange != nil
                || basis.isProtected ? guardedCampaigns : []
        let changes = changeOutcomes()
        return recipientOutcomes(campaigns) + changes + cancellationOutcomes()
            + shrunkListOutcomes(campaigns) + shrunkMembershipOutcomes(besides: changes)
            + testOutcomes(campaigns) + runOutcomes()
    }

    func outcome(
        of guard: Guard,
        subject: GuardSubject?,
        refusal: GuardRefusal
    ) -> GuardOutcome {
        GuardOutcome(
            `guard`,
            subject: subject,
            verdict: basis.verdict(on: `guard`, refusal: refusal)
        )
    }

    /// The campaigns that start or schedule something, and those that are too late and send
    /// nothing.
    var guardedCampaigns: [GuardedCampaign] {
        let byID = Dictionary(project.campaigns.map { ($0.id, $0) }) { first, _ in first }
        var found: [CampaignID: Int] = [:]
        var guarded: [GuardedCampaign] = []
        for action in actions.campaigns {
            guard let sends = action.step.sends, let campaign = byID[action.campaign] else {
                continue
            }
            if let place = found[action.campaign] {
                let sendsAny = guarded[place].sends || sends
                guarded[place] = GuardedCampaign(campaign: campaign, sends: sendsAny)
            } else {
                found[action.campaign] = guarded.count
                guarded.append(GuardedCampaign(campaign: campaign, sends: sends))
            }
        }
        return guarded
    }
}

extension GuardReview {
    /// The corrections with the campaigns that they correct, whose limits and acknowledgements apply.
    var guardedCorrections: [GuardedCorrection] {
        let corrections = actions.campaigns.filter { $0.step.correction != nil }
        guard !corrections.isEmpty else { return [] }
        let reach = reachEstimate
        let byID = Dictionary(project.campaigns.map { ($0.id, $0) }) { first, _ in first }
        return corrections.compactMap { action in
            guard let correction = action.step.correction,
                let corrected = byID[correction.occurrence.campaign]
            else { return nil }
            let count: Int? =
                switch correction.target {
                case .topic(let topic): reach.upperBound(of: .topic(topic))
                case .condition(let text): actions.reach(ofCondition: text)
                case .group: DeviceGroupName.largestGroup
                case .list, .part, .listAtSend, .stored: correction.count
                }
            return GuardedCorrection(campaign: action.campaign, corrected: corrected, reach: count)
        }
    }
}

/// A correction that guards check.
struct GuardedCorrection {
    let campaign: CampaignID
    let corrected: Campaign
    /// The maximum number of recipients; nil if unknown.
    let reach: Int?
}

/// A campaign that guards check.
struct GuardedCampaign {
    let campaign: Campaign
    /// Whether the campaign sends anything, now or later.
    let sends: Bool

    var subject: GuardSubject { .campaign(campaign.id) }
}

extension CampaignStep {
    /// Whether the step sends anything that no earlier run started; nil if guards ignore the step.
    fileprivate var sends: Bool? {
        switch self {
        case .send, .handOver, .schedule, .reschedule, .redefine: true
        case .paused(let send, _): send.unit == nil ? true : nil
        case .expire, .skip, .outlive, .miss: false
        case .resume, .lapse, .held, .rename, .unschedule, .alreadySent, .lowered, .ended, .stopped,
            .cancel, .retire, .correct, .uncorrectable, .answer, .unchanged:
            nil
        }
    }
}
