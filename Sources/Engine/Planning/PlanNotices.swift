import CampaignMessages
import CampaignModel
import RegistrationLists
import State
import Time

extension Planner {
    /// Returns notices only about messages that are about to be sent or scheduled.
    func notices(
        on history: CampaignHistory,
        step: CampaignStep,
        times: DueTimes
    ) -> [PlanNotice] {
        let campaign = history.campaign
        let moment: ScheduledMoment?
        var stages: [PlanNotice] = []
        switch step {
        case .send(let send), .handOver(let send):
            moment = campaign.moment
            stages = rolloutNotice(on: send)
        case .resume(let send):
            return editedListNotices(send.occurrence, in: history) + deadNotices(campaign)
                + interruption(of: send, times: times) + rolloutNotice(on: send)
        case .paused(let send, _), .held(let send, _):
            return editedListNotices(send.occurrence, in: history) + rolloutNotice(on: send)
        case .stopped(let id, _): return editedListNotices(id, in: history)
        case .schedule(_, let scheduled), .reschedule(_, _, let scheduled),
            .redefine(_, let scheduled):
            // Quiet hours and jitter do not change the local time that a clock change affects.
            moment = campaign.moment ?? scheduled
            stages = rolloutNotice(at: scheduled, in: history)
        case .lapse, .rename, .expire, .skip, .miss, .unschedule, .outlive, .alreadySent, .lowered,
            .ended, .cancel, .retire, .correct, .uncorrectable, .answer, .unchanged:
            return []
        }
        return messageNotices(history) + quietNotices(on: history, step: step, times: times)
            + clockNotices(for: campaign, at: moment)
            + deadNotices(campaign) + overlapNotices(campaign) + exemptionNotices(campaign)
            + stages
    }

    private func exemptionNotices(_ campaign: Campaign) -> [PlanNotice] {
        guard guards.limits.cap != nil, let reason = campaign.policy.reasonAboveCap else {
            return []
        }
        return [.exemptFromCap(campaign.id, reason: reason)]
    }

    /// Counts registrations that several topics of a condition address, each topic alone.
    ///
    /// Herald knows the lists of the audiences that it keeps subscribed.
    private func overlapNotices(_ campaign: Campaign) -> [PlanNotice] {
        let topics = Self.topicsAlone(of: campaign).filter(overlaps.topics.contains)
        guard topics.count > 1 else { return [] }
        let twice = overlaps.count(inTwoOf: Set(topics))
        return twice == 0 ? [] : [.mayReceiveTwice(campaign.id, topics, count: twice)]
    }

    /// Compares the stored list that an interrupted send continues with and the current one.
    private func editedListNotices(
        _ id: OccurrenceID,
        in history: CampaignHistory
    ) -> [PlanNotice] {
        editedList(of: history.record(id)?.unit).map { [PlanNotice.editedList(id, $0)] } ?? []
    }

    /// Counts registrations that are known so far to be dead, or to have opted out.
    ///
    /// Nothing for a part of a campaign: they are counted once for the whole list.
    func deadNotices(_ campaign: Campaign) -> [PlanNotice] {
        guard !known.dead.isEmpty, campaign.division.part == nil,
            case .registrations(let list) = campaign.target, !list.isReadAtSend,
            let survey = try? survey(of: list)
        else { return [] }
        let skipped = survey.fingerprints.inOrder().filter(known.dead.contains)
        let optedOut = skipped.count(where: known.upstream.optedOut.contains)
        let dead = skipped.count - optedOut
        var notices: [PlanNotice] = []
        if dead > 0 {
            notices.append(.deadRegistrations(campaign.id, count: dead, of: survey.count))
        }
        if optedOut > 0 {
            notices.append(.optedOutRegistrations(campaign.id, count: optedOut, of: survey.count))
        }
        return notices
    }

    private func messageNotices(_ history: CampaignHistory) -> [PlanNotice] {
        let campaign = history.campaign
        var notices = history.lowering.notes.map { note -> PlanNotice in
            switch note {
            case .authorWins(let field): .authorWins(campaign.id, field: field)
            case .dataPriorityOnApple: .dataPriorityOnApple(campaign.id)
            }
        }
        let leftOut = Platform.allCases.filter { campaign.content.kind(on: $0) == .nothing }
        if !leftOut.isEmpty { notices.append(.leavesOut(campaign.id, leftOut)) }
        return notices
    }

    private func clockNotices(for campaign: Campaign, at moment: ScheduledMoment?) -> [PlanNotice] {
        guard let moment, let rules = try? zones.rules(named: moment.zone) else { return [] }
        switch rules.resolve(moment.local) {
        case .unique: return []
        case .skipped(_, let gap):
            return [.skippedLocalTime(campaign.id, moment, gapSeconds: gap)]
        case .doubled: return [.doubledLocalTime(campaign.id, moment)]
        }
    }
}

extension Campaign {
    var moment: ScheduledMoment? {
        if case .at(let moment) = schedule { moment } else { nil }
    }
}

extension OccurrenceRecord {
    /// The notice about requests with an unknown outcome.
    var unknownOutcomes: PlanNotice? {
        guard let unit, unit.tally[.unknown] > 0 else { return nil }
        return .unknownOutcomes(id, count: unit.tally[.unknown])
    }
}
