import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists
import State
import Time

/// Campaigns that correct other campaigns.
///
/// A correction acts once: the apply that performs it, or finds nothing to correct, records its definition.
/// What the corrected campaign sends later is not taken back until the author changes the correction.
extension Planner {
    /// Plans the selected corrections.
    ///
    /// - Parameters:
    ///   - applied: The state, in which the campaigns have their names from the files.
    ///   - former: The old names of renamed campaigns.
    /// - Returns: The plans of the corrections, in the order of the files.
    /// - Throws: `.state`.
    func planCorrections(
        _ applied: AppliedState,
        former: [CampaignID: CampaignID]
    ) async throws(PlanningError) -> [PlannedCampaign] {
        var planned: [PlannedCampaign] = []
        for correction in plannedCorrections(applied) where selection.includes(correction.id) {
            // The state records a new name before it can take back what was sent under it.
            guard former[correction.corrected.campaign] == nil else { continue }
            planned.append(try await plan(correction, in: applied))
        }
        return planned
    }

    /// The corrections whose names have no open occurrences.
    ///
    /// Otherwise, the name was that of another kind of campaign, whose sends are cancelled first.
    func plannedCorrections(_ applied: AppliedState) -> [Correction] {
        guard !project.corrections.isEmpty else { return [] }
        let open = Set(applied.occurrences.values.filter(\.isOpen).map(\.id.campaign))
        return project.corrections.filter { !open.contains($0.id) }
    }

    private func plan(
        _ correction: Correction,
        in applied: AppliedState
    ) async throws(PlanningError) -> PlannedCampaign {
        let content = correction.definitionContent
        let recorded = applied.definitions[correction.id]?.content
        guard recorded != content else {
            let action = CampaignAction(campaign: correction.id, step: .unchanged)
            return PlannedCampaign(actions: [action], notices: [], reviewed: nil)
        }
        let steps = try await steps(of: correction, in: applied)
        let actions = steps.enumerated().map { place, step in
            CampaignAction(
                campaign: correction.id,
                step: step,
                definition: place == 0
                    ? CampaignDefinition(campaign: correction.id, content: content) : nil,
                changes: place == 0
                    ? recorded.map { FieldChange.changes(from: $0, to: content) } ?? [] : [],
                template: step.correction?.recall.template,
                about: correction.about,
                recorded: place == 0 ? recorded : nil
            )
        }
        return PlannedCampaign(
            actions: actions,
            notices: [],
            reviewed: ReviewedCampaign(
                correcting: steps.compactMap(\.correction?.occurrence),
                with: correction.id,
                content: content
            )
        )
    }

    private func steps(
        of correction: Correction,
        in applied: AppliedState
    ) async throws(PlanningError) -> [CampaignStep] {
        let sent = applied.sent(of: correction.corrected)
        var steps: [CampaignStep] = []
        for record in sent {
            steps.append(try await step(of: correction, for: record, in: applied))
        }
        guard steps.isEmpty else { return steps }
        return [.uncorrectable(NothingToCorrect(corrected: correction.corrected, reason: .notSent))]
    }

    private func step(
        of correction: Correction,
        for sent: OccurrenceRecord,
        in applied: AppliedState
    ) async throws(PlanningError) -> CampaignStep {
        func nothing(_ reason: NothingToCorrect.Reason) -> CampaignStep {
            .uncorrectable(NothingToCorrect(corrected: .occurrence(sent.id), reason: reason))
        }
        let earlier = try await reading { () async throws(StateStoreError) in
            try await store.occurrence(sent.id.recall)
        }
        let others = RecallPlan.hasAuthorsKey(sent) ? Array(applied.occurrences.values) : []
        let recall: RecallPlan
        do throws(RecallRefusal) {
            recall = try RecallPlan(sent, saying: correction.message, among: others, at: now)
        } catch {
            return nothing(.refused(earlier.map { .alreadyRequested($0) } ?? error))
        }
        if let earlier, !earlier.isInterrupted(recall) {
            return nothing(.refused(.alreadyRequested(earlier)))
        }
        guard let target = try await target(of: recall) else { return nothing(.lostList) }
        return .correct(
            PlannedCorrection(recall: recall, target: target, isHandedOver: handsOver)
        )
    }
}

// MARK: - Recipients

extension Planner {
    /// Nil if the list is neither stored nor that of the files.
    private func target(of recall: RecallPlan) async throws(PlanningError) -> SendStepTarget? {
        let unit = recall.unit
        switch unit.target {
        case .topic(let topic): return .topic(topic)
        case .condition(let text): return .condition(text)
        case .group(let name): return .group(name)
        case .registrations(let list):
            let isStored = try await reading { () async throws(StateStoreError) in
                try await store.hasList(list)
            }
            guard !isStored else {
                return .stored(list, fingerprints: try await reached(by: unit, in: .stored(list)))
            }
            guard let (content, survey) = fileList(as: list, of: recall.sent.id.campaign) else {
                return nil
            }
            let all = survey.fingerprints.inOrder()
            guard all.count == unit.count else { return nil }
            return .list(
                content,
                list,
                fingerprints: try await reached(by: unit, in: .surveyed(all))
            )
        }
    }

    /// The list of a campaign in the files, if a send to it would have this ID.
    private func fileList(
        as id: ListID,
        of campaign: CampaignID
    ) -> (content: ListContent, survey: ListSurvey)? {
        guard let campaign = project.campaigns.first(where: { $0.id == campaign }),
            case .registrations(let list) = campaign.target, let survey = try? survey(of: list)
        else { return nil }
        let columns = project.columns(of: campaign)
        guard (try? content(of: survey, for: columns, path: list.path)) == id else { return nil }
        return (ListContent(list, columns: columns), survey)
    }

    /// The registrations of a list.
    private enum Rows {
        case stored(ListID)
        case surveyed([Fingerprint])
    }

    /// Returns the registrations that FCM accepted, or may have accepted, and that have not died since then.
    private func reached(
        by unit: WorkUnitRecord,
        in list: Rows
    ) async throws(PlanningError) -> [Fingerprint] {
        var reached: [Fingerprint] = []
        var first = 0
        while first < unit.count {
            let range = first..<min(first + 4_096, unit.count)
            first = range.upperBound
            let outcomes = try await reading { () async throws(StateStoreError) in
                try await store.outcomes(of: unit.id, in: range)
            }
            let rows: [Fingerprint]
            switch list {
            case .surveyed(let all): rows = Array(all[range])
            case .stored(let id):
                rows = try await self.rows(of: id, in: range, withValues: false).map {
                    fingerprinter.fingerprint(of: $0.registration)
                }
            }
            for (number, (outcome, row)) in zip(range, zip(outcomes, rows))
            where outcome.counts(isReleased: number < unit.released) && !known.dead.contains(row) {
                reached.append(row)
            }
        }
        return reached
    }
}

// MARK: - State

extension OccurrenceRecord {
    /// Whether this recall was requested for the same correction by an apply that ended before it recorded the
    /// correction.
    fileprivate func isInterrupted(_ recall: RecallPlan) -> Bool {
        isOpen && message == recall.template.stored
    }

    /// The number of its unit; units are numbered in the order in which sends begin.
    fileprivate var number: Int64 { unit?.id.number ?? 0 }
}

extension AppliedState {
    /// Returns the occurrences that a correction names, by name, if any part of them was sent.
    ///
    /// The recipients in several time zones have one each.
    fileprivate func sent(of corrected: CorrectedSend) -> [OccurrenceRecord] {
        let sent = occurrences.values.filter {
            $0.id.campaign == corrected.campaign && $0.unit != nil
        }
        switch corrected {
        case .occurrence(let id): return sent.filter { $0.id == id }
        case .last:
            let reached = sent.filter { $0.unit.map { RecallPlan.reached($0) > 0 } ?? false }
            let known = reached.isEmpty ? sent : reached
            guard let last = known.max(by: { $0.number < $1.number }) else { return [] }
            return known.filter {
                $0.id.revision == last.id.revision && $0.id.slot.family == last.id.slot.family
            }.sorted { $0.id < $1.id }
        }
    }
}

extension Correction {
    /// What the state records once it was applied.
    fileprivate var definitionContent: JSONValue {
        ["corrects": .string(corrected.description), "message": message.stored]
    }
}

extension CampaignStep {
    /// What is replaced; nil for other steps.
    package var correction: PlannedCorrection? {
        if case .correct(let correction) = self { correction } else { nil }
    }
}

extension Plan {
    /// The corrections of the plan, in the order of the files.
    package var corrections: [PlannedCorrection] { campaigns.compactMap(\.step.correction) }

    /// The corrections that this apply makes, and not a service.
    package var ownCorrections: [PlannedCorrection] { corrections.filter { !$0.isHandedOver } }
}
