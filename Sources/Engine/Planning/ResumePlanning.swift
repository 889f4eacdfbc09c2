import CampaignMessages
import CampaignModel
import RegistrationLists
import State
import Time

/// Resumes interrupted sends.
extension Planner {
    /// Resumes the sends that have started, except those that quiet hours hold: a notice names them.
    func resumptions(
        of history: CampaignHistory,
        times: DueTimes,
        noting notices: inout [PlanNotice]
    ) throws(PlanningError) -> [CampaignStep] {
        var steps: [CampaignStep] = []
        for record in history.underWay {
            if record.rollout?.abortion != nil {
                steps.append(.cancel(CancelledSend(record, isEnded: true)))
                continue
            }
            let step = try resume(record, in: history, times: times)
            if case .resume(let send) = step, let begins = send.rollout?.since, begins > now {
                notices += rolloutNotice(on: send, until: times.scheduled(begins))
            } else if case .resume(let send) = step,
                let end = send.hold?.endOfRest(due: record.due, at: now)
            {
                let until = times.scheduled(end)
                notices.append(rest(of: send, due: record.due, heldUntil: until))
            } else {
                steps.append(step)
            }
        }
        return steps
    }

    private func resume(
        _ record: OccurrenceRecord,
        in history: CampaignHistory,
        times: DueTimes
    ) throws(PlanningError) -> CampaignStep {
        guard let unit = record.unit,
            let template = record.message.flatMap(MessageTemplate.init(stored:))
        else { throw .unreadableOccurrence(record.id) }
        let unknown = unit.tally[.unknown] + unit.open
        let policy = SendPolicy(
            history.campaign.policy,
            for: template,
            isFanOut: unit.target.isFanOut
        )
        if policy.stopsAtUnknown, unknown > 0 { return .stopped(record.id, unknown: unknown) }
        let rest = try rest(of: unit)
        let unsent = unit.tally[.intended] + unit.tally[.returned]
        let send = SendStep(
            occurrence: record.id,
            // It is later if quiet hours interrupted the send and no longer hold it.
            due: min(record.due, now),
            target: rest.target,
            template: template,
            unit: unit,
            remaining: rest.target.count ?? unsent,
            policy: policy,
            priority: history.campaign.priority,
            deduplicationKey: record.deduplicationKey.map(DeduplicationKey.init(stored:)),
            dead: rest.dead,
            heldOut: rest.heldOut,
            texts: rest.texts,
            hold: times.hold(of: record.id),
            recipients: recipientHours(of: record.id, in: history, times: times),
            caps: caps(of: history.campaign, isFanOut: unit.target.isFanOut),
            experiment: experiment(of: history.campaign),
            rollout: record.rollout,
            stages: rest.stages
        )
        // A stopped rollout does not expire: if a person continues it, its lifetime counts from then.
        if record.hold == .rollout { return .held(send, .rollout) }
        // Other recipients may still wait for the end of their quiet hours: the send itself decides.
        if send.recipients == nil, template.isOver(at: now, due: send.due), send.remaining > 0 {
            return .lapse(send)
        }
        if let hold = record.hold, !history.campaign.policy.covers(hold, of: unit) {
            return .held(send, hold)
        }
        return history.pause.map { .paused(send, $0) } ?? .resume(send)
    }

    /// What remains of an interrupted send.
    private struct Rest {
        let target: SendStepTarget
        var dead: [Int] = []
        var heldOut: [Int] = []
        var texts: RequestTexts?
        var stages: [PlannedRollout.Stage]?
    }

    private func rest(of unit: WorkUnitRecord) throws(PlanningError) -> Rest {
        switch unit.target {
        case .topic(let topic): return Rest(target: .topic(topic))
        case .condition(let text): return Rest(target: .condition(text))
        case .group(let name): return Rest(target: .group(name))
        case .registrations(let list):
            guard let unsent = known.unsent[unit.id] else {
                preconditionFailure("the unsent requests of a planned list were not read")
            }
            let rest = try unsent.get()
            return Rest(
                target: .stored(list, fingerprints: rest.living),
                dead: rest.dead,
                heldOut: rest.heldOut,
                texts: rest.texts,
                stages: rest.stages
            )
        }
    }
}

extension SendingPolicy {
    /// Whether the author acknowledged the reason for the hold; the acknowledged share applies to
    /// the first answers.
    ///
    /// Every rejected registration counts as dead, so the count is never too low.
    fileprivate func covers(_ hold: Hold, of unit: WorkUnitRecord) -> Bool {
        guard hold == .mostlyDead, let dead = acknowledgement?.dead else { return false }
        return unit.tally[.rejected] * 10_000 <= dead.basisPoints * min(1_000, unit.count)
    }
}

extension UnitTarget {
    /// Whether one request reaches many devices.
    package var isFanOut: Bool {
        if case .registrations = self { false } else { true }
    }
}

extension SendStepTarget {
    /// Number of single requests; nil for a topic, condition or group, and if it is known only when
    /// the send begins.
    package var count: Int? {
        switch self {
        case .topic, .condition, .group, .listAtSend: nil
        case .list(_, _, let fingerprints), .part(_, let fingerprints),
            .stored(_, let fingerprints):
            fingerprints.count
        }
    }

    /// Whether one request reaches many devices.
    package var isFanOut: Bool {
        switch self {
        case .topic, .condition, .group: true
        case .list, .part, .listAtSend, .stored: false
        }
    }
}
