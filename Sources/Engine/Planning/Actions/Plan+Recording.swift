import CampaignModel
package import State
package import Time

extension Plan {
    /// The plan's changes of names, definitions and due times, recorded in one transaction before
    /// the first send.
    ///
    /// Without those of campaigns that are handed over after the memberships have changed.
    package var definitionChanges: [DefinitionChange] {
        let later = campaignsToHandOver
        return campaigns.filter { !later.contains($0.campaign) }.flatMap(\.definitionChanges)
            + guardRecords
    }

    /// The changes of campaigns that are handed over, recorded in one transaction after the
    /// memberships have changed: a service may then send at once.
    ///
    /// `now`: a campaign without a schedule is due then, however long the review of the plan took.
    package func handOverChanges(at now: Instant) -> [DefinitionChange] {
        let campaigns = campaignsToHandOver
        let applied = max(self.now, now)
        let dueAtOnce = Set(handedOver.filter { $0.due == self.now }.map(\.occurrence.campaign))
        return self.campaigns.filter { campaigns.contains($0.campaign) }.flatMap { action in
            // The definition is recorded with one of the parts.
            let changes = action.definitionChanges.map { change in
                dueAtOnce.contains(action.campaign)
                    ? change.moved(from: self.now, to: applied) : change
            }
            guard let send = action.step.handedOver else { return changes }
            return changes
                + [.schedule(send.occurrence, due: send.due == self.now ? applied : send.due)]
        }
    }

    /// The slot of a rule is recorded before, with the rule.
    private var campaignsToHandOver: Set<CampaignID> {
        Set(handedOver.filter { !$0.isOfRule }.map(\.occurrence.campaign))
    }
}

extension CampaignAction {
    /// The action's changes of names, definitions and due times.
    package var definitionChanges: [DefinitionChange] {
        var changes = definition.map { [DefinitionChange.define($0)] } ?? []
        if let slotsAfter { changes.append(.advance(campaign, slotsAfter: slotsAfter)) }
        return changes + changeOfMoments
    }

    /// Schedules the slots that a rule is about to send.
    ///
    /// They are recorded before the rule advances, so a crash does not lose them.
    fileprivate var changeOfMoments: [DefinitionChange] {
        switch step {
        case .schedule(let id, let moment), .reschedule(let id, _, let moment):
            [.schedule(id, due: moment.instant)]
        case .expire(let id, let moment), .skip(let id, let moment), .outlive(let id, let moment):
            [.expire(id, due: moment.instant)]
        case .miss(let missed): missed.occurrences.map { .expire($0.occurrence, due: $0.due) }
        case .send(let send), .handOver(let send), .paused(let send, _):
            send.isOfRule ? [send.scheduling] : []
        case .unschedule(let id, _): [.cancel(id)]
        case .rename(let name): [.rename(name, to: campaign)]
        case .cancel(let send) where send.isEnded: []
        case .cancel, .retire: [.retire(campaign)]
        case .resume, .lapse, .held, .redefine, .alreadySent, .lowered, .ended, .stopped, .correct,
            .uncorrectable, .answer, .unchanged:
            []
        }
    }
}

extension DefinitionChange {
    /// Moves the time of an apply that raises a revision.
    fileprivate func moved(from old: Instant, to new: Instant) -> DefinitionChange {
        guard case .define(let definition) = self, definition.slotsAfter == old else { return self }
        return .define(
            CampaignDefinition(
                campaign: definition.campaign,
                content: definition.content,
                slotsAfter: new,
                sending: definition.sending
            )
        )
    }
}

extension SendStep {
    /// Whether it is the slot of a rule that has not started.
    package var isOfRule: Bool { !occurrence.slot.isOnly && unit == nil }

    fileprivate var scheduling: DefinitionChange { .schedule(occurrence, due: due) }
}
