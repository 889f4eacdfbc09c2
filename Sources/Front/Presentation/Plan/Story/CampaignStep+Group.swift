import CampaignModel
import Planning
import Time

extension [CampaignAction] {
    /// The step that moves the only cancelled slot to the only new one, if a rule changed.
    ///
    /// Nil if the revision changed too, because another message is sent then.
    var movedSlot: CampaignStep? {
        var cancelled: [(id: OccurrenceID, due: Instant)] = []
        var added: [(id: OccurrenceID, moment: ScheduledMoment)] = []
        for action in self {
            if case .unschedule(let id, let due) = action.step { cancelled.append((id, due)) }
            if case .schedule(let id, let moment) = action.step { added.append((id, moment)) }
        }
        guard cancelled.count == 1, added.count == 1, let old = cancelled.first,
            let new = added.first, old.id.revision == new.id.revision
        else { return nil }
        return .reschedule(new.id, from: old.due, to: new.moment)
    }

    /// The first step of the most important group.
    var mainStep: CampaignStep? {
        self.min { $0.step.group.rank < $1.step.group.rank }?.step
    }

    /// The changing actions, grouped by campaign, in the order of the plan.
    var changedByCampaign: [[CampaignAction]] {
        var groups: [[CampaignAction]] = []
        for action in self where action.step != .unchanged {
            if groups.last?.first?.campaign == action.campaign {
                groups[groups.count - 1].append(action)
            } else {
                groups.append([action])
            }
        }
        return groups
    }
}

extension CampaignStep {
    /// The group of an entry with only this step.
    var group: PlanGroup {
        switch self {
        case .send, .resume: .sends
        case .correct(let correction): correction.isHandedOver ? .handedOver : .sends
        case .handOver: .handedOver
        case .lapse, .held, .stopped, .expire, .skip, .miss, .outlive, .uncorrectable: .attention
        case .paused: .paused
        case .schedule, .reschedule, .redefine: .scheduled
        case .alreadySent, .lowered, .ended, .rename, .answer, .unchanged: .changed
        case .unschedule, .cancel, .retire: .removed
        }
    }

    /// Whether it sends now, by a service, at a later time, or after a pause is lifted.
    var sendsSometime: Bool { began != nil || handedOver != nil || isPaused || isScheduling }
}
