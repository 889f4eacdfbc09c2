import CampaignMessages
package import CampaignModel
package import RegistrationLists
import State
import Time

extension Planner {
    /// Plans a campaign: returns one action per affected occurrence, or one action that reports no
    /// change.
    func plan(
        _ history: CampaignHistory,
        noting notices: inout [PlanNotice]
    ) throws(PlanningError) -> [CampaignAction] {
        let campaign = history.campaign
        try refuseUnsupported(campaign)
        try history.refuseChangedExperiment()
        var drafts: [PartDraft] = []
        for part in try parts(of: history) {
            drafts.append(try draft(part, noting: &notices))
        }
        // The recorded time is that of all parts.
        let isWhole = !busy.contains { $0.campaign == campaign.id }
        let slotsAfter =
            isWhole ? drafts.compactMap(\.slotsAfter).max() : history.recorded?.slotsAfter
        let parts = drafts.map { $0.planned(upTo: slotsAfter) }
        var steps = PartStep.merged(parts)
        // A change of a campaign whose send is in progress is recorded when the send resumes.
        let isHeld = steps.isEmpty && !history.underWay.isEmpty
        if steps.isEmpty {
            let whole = PlannedPart(
                history: history,
                times: try dueTimes(of: campaign),
                steps: []
            )
            steps = [PartStep(part: whole, step: .unchanged)]
        }
        try refuseUnsendable(campaign, schedules: steps.contains(where: \.step.staysForLater))
        notices += self.notices(on: steps)
        let isSent = steps.contains { $0.step.staysForLater || $0.step.began != nil }
        if campaign.division.isDivided, isSent { notices += deadNotices(campaign) }
        notices += history.records.compactMap(\.unknownOutcomes)
        return actions(
            of: isHeld ? history.asRecorded() : history,
            steps: steps,
            parts: parts,
            slotsAfter: slotsAfter
        )
    }

    private func draft(
        _ part: CampaignHistory,
        noting notices: inout [PlanNotice]
    ) throws(PlanningError) -> PartDraft {
        let times = try dueTimes(of: part.campaign)
        let resumed = try resumptions(of: part, times: times, noting: &notices)
        var steps = leavingToService(resumed)
        var rule: RulePlan?
        if part.campaign.division.isDivided {
            steps += part.scheduled.map { .unschedule($0.id, due: $0.due) }
        } else if case .repeating(let schedule) = part.campaign.schedule {
            rule = try repeating(schedule, in: part, times: times)
        } else {
            steps += try once(part)
        }
        return PartDraft(
            history: part,
            times: times,
            steps: steps,
            rule: rule,
            raised: known.raised[part.campaign.id]
        )
    }

    /// The parts of a campaign repeat what concerns the whole campaign.
    private func notices(on steps: [PartStep]) -> [PlanNotice] {
        var seen: Set<PlanNotice> = []
        return steps.flatMap { notices(on: $0.part.history, step: $0.step, times: $0.part.times) }
            .filter { seen.insert($0).inserted }
    }

    /// Creates the actions; the first step that does not continue earlier work records the
    /// definition.
    private func actions(
        of history: CampaignHistory,
        steps planned: [PartStep],
        parts: [PlannedPart],
        slotsAfter: Instant?
    ) -> [CampaignAction] {
        let campaign = history.campaign
        let steps = planned.map(\.step)
        let recordingPlace = steps.firstIndex { !$0.isUnderWay }
        let personal = steps == [.unchanged] ? nil : personalText(of: campaign)
        let list = scheduledList(of: campaign, steps: steps)
        // One action names the pause, unless several miss a due time.
        let missesAny = steps.contains(where: \.missesDueTime)
        let paused = missesAny ? nil : steps.firstIndex(where: \.staysForLater)
        let definition = CampaignDefinition(
            campaign: campaign.id,
            content: history.content.content,
            slotsAfter: slotsAfter,
            sending: storedCampaign(campaign).map { stored in
                StoredSending(
                    campaign: stored,
                    list: list?.id,
                    isReviewed: guards.application?.isReviewed ?? false
                )
            }
        )
        let times = campaign.division.isDivided ? parts.compactMap(times) : []
        return planned.enumerated().map { place, planned in
            let step = planned.step
            let part = planned.part.history
            let isRecording = place == recordingPlace
            let isOnlyLater = !history.isChanged && slotsAfter != history.recorded?.slotsAfter
            return CampaignAction(
                campaign: campaign.id,
                step: step,
                definition: isRecording && history.isChanged ? definition : nil,
                changes: recordingPlace == nil || isRecording ? history.changes : [],
                audience: audience(of: campaign, at: step),
                template: part.message(with: step.deduplicationKey, of: step.began?.occurrence),
                texts: texts(of: step, in: campaign),
                slotsAfter: isRecording && isOnlyLater ? slotsAfter : nil,
                source: part.campaign,
                zone: plannedZone(of: part.campaign) ?? step.leftZone,
                parts: step == .unchanged ? times : [],
                withoutTime: known.parts[campaign.id]?.leftOut ?? 0,
                composition: composition(of: campaign),
                recorded: isRecording && history.isChanged ? history.recorded?.content : nil,
                scheduledList: isRecording && history.isChanged ? list : nil,
                personal: step.isUnderWay ? nil : personal,
                sentBefore: part.sentBefore,
                pause: step.missesDueTime || place == paused ? history.pause : nil,
                times: planned.part.times
            )
        }
    }

    /// Nil for the unsent occurrences of an earlier schedule.
    private func times(of part: PlannedPart) -> PartTimes? {
        plannedZone(of: part.history.campaign).map {
            PartTimes(campaign: part.history.campaign, times: part.times, zone: $0)
        }
    }

    /// Returns the list to store with the definition; nil if the campaign has none, if the list is
    /// read when the send begins, or if the campaign schedules nothing.
    private func scheduledList(of campaign: Campaign, steps: [CampaignStep]) -> ScheduledList? {
        guard !isFromState, steps.contains(where: \.staysForLater),
            case .registrations(let list) = campaign.target, !list.isReadAtSend,
            let survey = try? survey(of: list)
        else { return nil }
        let columns = project.columns(of: campaign)
        guard let id = try? content(of: survey, for: columns, path: list.path) else { return nil }
        return ScheduledList(content: ListContent(list, columns: columns), id: id)
    }

    /// Returns the recipients of a step as far as a plan knows them.
    private func audience(of campaign: Campaign, at step: CampaignStep) -> PlannedAudience {
        guard case .registrations(let list) = campaign.target, list.isReadAtSend else {
            return PlannedAudience(of: campaign, in: project, surveys: surveys)
        }
        let name = campaign.audience?.rawValue ?? list.withoutExclusions.path
        return step.startedCount.map { .list(name: name, count: $0, people: nil) }
            ?? .listAtSend(name: name)
    }

    /// Returns the number of registrations for each text and of those that are held out; for an
    /// interrupted send, of those that remain.
    ///
    /// Empty if the list is read when the send begins.
    private func texts(of step: CampaignStep, in campaign: Campaign) -> [PlannedText] {
        if step.isUnderWay {
            let send = if case .paused(let send, _) = step { send } else { step.began }
            return (send?.texts?.counts ?? []).with(heldOut: send?.heldOut.count ?? 0)
        }
        return PlannedText.all(of: campaign, in: project, surveys: surveys)
    }

    /// Returns how the set is formed that a campaign addresses; nil for other targets, and if the set
    /// is read when the send begins.
    private func composition(of campaign: Campaign) -> ListComposition? {
        guard case .registrations(let list) = campaign.target, !list.isReadAtSend else {
            return nil
        }
        return (try? surveys[list]?.get())?.composition
    }
}

extension CampaignHistory {
    /// Returns the message with an occurrence's key, if the key is known.
    ///
    /// `occurrence`: the one to which envelopes belong, if it is known.
    func message(
        with key: DeduplicationKey?,
        of occurrence: OccurrenceID? = nil
    ) -> MessageTemplate {
        let message = key.map(template.keyed) ?? template
        return occurrence.map(message.bound) ?? message
    }
}

extension CampaignStep {
    /// The zone or time that the campaign's recipients no longer have; nil for other steps.
    fileprivate var leftZone: PlannedZone? {
        guard case .unschedule(let id, _) = self, let name = id.slot.part else { return nil }
        return PlannedZone(name: name, count: nil, before: 0)
    }

    /// Whether the step leaves a later occurrence in the state.
    fileprivate var staysForLater: Bool { handedOver != nil || isScheduling }
}

extension PlannedAudience {
    package init(of campaign: Campaign, in project: Project, surveys: ListSurveys) {
        switch campaign.target {
        case .topic(let topic): self = .topic(topic, reach: project.topics[topic]?.reach)
        case .condition(let condition): self = .condition(condition.onWire)
        case .group(let name): self = .group(name)
        case .registrations(let list):
            let survey = try? surveys[list]?.get()
            self = .list(
                name: campaign.audience?.rawValue ?? list.withoutExclusions.path,
                count: survey?.count,
                people: survey?.people?.count
            )
        }
    }
}
