import CampaignMessages
import CampaignModel
import RegistrationLists
import Scheduling
import State
import Time

/// Notices about sends that quiet hours move or interrupt.
extension Planner {
    func quietNotices(
        on history: CampaignHistory,
        step: CampaignStep,
        times: DueTimes
    ) -> [PlanNotice] {
        switch step {
        case .send(let send), .handOver(let send):
            guard send.recipients == nil else {
                return zoneNotices(on: history, id: send.occurrence, at: now, times: times)
            }
            return interruption(of: send, times: times)
        case .schedule(let id, let due), .reschedule(let id, _, let due):
            return notices(on: history, id: id, due: due, times: times)
        case .redefine(_, let due):
            guard let id = history.campaign.onlyOccurrence else { return [] }
            return notices(on: history, id: id, due: due, times: times)
        case .resume, .lapse, .paused, .held, .rename, .expire, .skip, .miss, .unschedule, .outlive,
            .alreadySent, .lowered, .ended, .stopped, .cancel, .retire, .correct, .uncorrectable,
            .answer,
            .unchanged:
            return []
        }
    }

    /// Returns notices about an occurrence that is sent later.
    private func notices(
        on history: CampaignHistory,
        id: OccurrenceID,
        due: ScheduledMoment,
        times: DueTimes
    ) -> [PlanNotice] {
        guard let hold = times.hold(of: id) else { return [] }
        let base = base(of: id, in: history, times: times)
        let expires = history.campaign.delivery.expires?.instant
        let zoned = zoneNotices(on: history, id: id, at: due.instant, times: times)
        guard due.instant > base else {
            guard !history.campaign.hasZonedRecipients else { return zoned }
            let start = SendStart(id, at: due.instant, count: listCount(of: history.campaign))
            return interruption(of: start, with: history.template, hold: hold, times: times)
        }
        let isOver = times.isOver(due: due.instant, after: base, expires: expires)
        let effect = QuietEffect(
            isOver ? .expires : kind(of: hold.deferral, at: base),
            due: times.scheduled(base, insteadOf: history.campaign.moment),
            until: due,
            count: listCount(of: history.campaign),
            mayArriveLater: !isOver
                && history.template.mayArrive(in: hold, after: due.instant)
        )
        return [.quietHours(id, effect)] + (isOver ? [] : zoned)
    }

    /// Why a send that is due at `base` waits.
    private func kind(of deferral: QuietDeferral, at base: Instant) -> QuietEffect.Kind {
        if deferral.isQuiet(base) { return .moved }
        return deferral.due(base, at: now) > base ? .overtaken : .fanOut
    }

    /// The due time of an occurrence without quiet hours.
    private func base(
        of id: OccurrenceID,
        in history: CampaignHistory,
        times: DueTimes
    ) -> Instant {
        switch history.campaign.schedule {
        case .immediate: return now
        case .at(let moment): return times.base(of: moment.instant, for: id)
        case .repeating(let schedule):
            let moment = times.moment(of: id.slot, in: schedule)
            return moment.map { times.base(of: $0, for: id) } ?? now
        }
    }

    /// Number of messages to the campaign's list; nil for a fan-out.
    private func listCount(of campaign: Campaign) -> Int? {
        guard case .registrations(let list) = campaign.target, let survey = try? survey(of: list)
        else { return nil }
        if let zone = campaign.division.part { return known.parts[campaign.id]?.count(in: zone) }
        guard !known.dead.isEmpty else { return survey.count }
        return survey.count - survey.fingerprints.inOrder().count(where: known.dead.contains)
    }

    // MARK: Sends that are interrupted

    /// The notice about the rest of a send that quiet hours hold.
    ///
    /// `due`: the due time from which the lifetime of its message counts.
    func rest(of send: SendStep, due: Instant, heldUntil end: ScheduledMoment) -> PlanNotice {
        let isOver = send.template.isOver(at: end.instant, due: due)
        let effect = QuietEffect(
            isOver ? .expires : .rest,
            until: end,
            count: send.isFanOut ? nil : send.remaining,
            mayArriveLater: !isOver
                && send.hold.map { send.template.mayArrive(in: $0, after: end.instant) } ?? false
        )
        return .quietHours(send.occurrence, effect)
    }

    /// Estimates how many messages of a list send wait, because quiet hours begin.
    func interruption(of send: SendStep, times: DueTimes) -> [PlanNotice] {
        guard let hold = send.hold else { return [] }
        let count = send.isFanOut ? nil : send.remaining
        let start = SendStart(send.occurrence, at: now, count: count)
        return interruption(of: start, with: send.template, hold: hold, times: times)
    }

    /// When a send begins, and its number of messages; nil for a fan-out.
    private struct SendStart {
        let occurrence: OccurrenceID
        let instant: Instant
        let count: Int?

        init(_ occurrence: OccurrenceID, at instant: Instant, count: Int?) {
            self.occurrence = occurrence
            self.instant = instant
            self.count = count
        }
    }

    private func interruption(
        of start: SendStart,
        with template: MessageTemplate,
        hold: QuietHold,
        times: DueTimes
    ) -> [PlanNotice] {
        guard let count = start.count else { return [] }
        let beginning = hold.deferral.nextBeginning(after: start.instant)
        // A send stops a second before.
        let left = count - traffic.sendCount(within: beginning.seconds(since: start.instant) - 1)
        guard left > 0 else { return [] }
        let until = hold.deferral.due(beginning, at: beginning)
        // The lifetime of the rest counts from the end of the hold.
        let isOver = template.isOver(at: until, due: until)
        let effect = QuietEffect(
            isOver ? .expires : .interrupted,
            until: times.scheduled(until),
            count: left,
            mayArriveLater: !isOver && template.mayArrive(in: hold, after: start.instant)
        )
        return [.quietHours(start.occurrence, effect)]
    }
}

extension MessageTemplate {
    /// Whether FCM may deliver a message in the first quiet hours after its due time.
    fileprivate func mayArrive(in hold: QuietHold, after due: Instant) -> Bool {
        end(due: due) > hold.deferral.nextBeginning(after: due)
    }
}
