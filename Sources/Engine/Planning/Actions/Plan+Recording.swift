import CampaignModel
package import State

extension Plan {
    /// The plan's changes of names, definitions and due times, recorded in one transaction before
    /// the first send.
    package var definitionChanges: [DefinitionChange] {
        campaigns.flatMap(\.definitionChanges) + guardRecords
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
        case .send(let send), .paused(let send, _): send.isOfRule ? [send.scheduling] : []
        case .unschedule(let id, _): [.cancel(id)]
        case .rename(let name): [.rename(name, to: campaign)]
        case .cancel, .retire: [.retire(campaign)]
        case .resume, .lapse, .held, .redefine, .alreadySent, .lowered, .ended, .stopped,
            .unchanged:
            []
        }
    }
}

extension SendStep {
    fileprivate var isOfRule: Bool { occurrence.slot != .once && unit == nil }

    fileprivate var scheduling: DefinitionChange { .schedule(occurrence, due: due) }
}
