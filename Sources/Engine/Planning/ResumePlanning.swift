import CampaignMessages
import CampaignModel
import RegistrationLists
import State
import Time

/// Resumes interrupted sends.
extension Planner {
    func goOn(_ history: CampaignHistory) throws(PlanningError) -> [CampaignStep] {
        var steps: [CampaignStep] = []
        for record in history.underWay { steps.append(try resume(record, history)) }
        return steps
    }

    private func resume(
        _ record: OccurrenceRecord,
        _ history: CampaignHistory
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
        let (rest, dead) = try rest(of: unit)
        let unsent = unit.tally[.intended] + unit.tally[.returned]
        let send = SendStep(
            occurrence: record.id,
            due: record.due,
            target: rest,
            template: template,
            unit: unit,
            remaining: rest.count ?? unsent,
            policy: policy,
            deduplicationKey: record.deduplicationKey.map(DeduplicationKey.init(stored:)),
            dead: dead
        )
        if template.isOver(at: now, due: record.due), send.remaining > 0 { return .lapse(send) }
        if let hold = record.hold, !history.campaign.policy.covers(hold, of: unit) {
            return .held(send, hold)
        }
        return history.pause.map { .paused(send, $0) } ?? .resume(send)
    }

    private func rest(
        of unit: WorkUnitRecord
    ) throws(PlanningError) -> (target: SendStepTarget, dead: [Int]) {
        switch unit.target {
        case .topic(let topic): return (.topic(topic), [])
        case .condition(let text): return (.condition(text), [])
        case .group(let name): return (.group(name), [])
        case .registrations(let list):
            guard let unsent = unsent[unit.id] else {
                preconditionFailure("a list was planned whose unsent requests were not read")
            }
            let rest = try unsent.get()
            return (.stored(list, fingerprints: rest.living), rest.dead)
        }
    }

    /// Of every list whose sending was cut off, of the campaigns that are planned: campaigns are
    /// planned on all cores, and none of them waits for the state.
    func unsentRequests(
        _ stored: AppliedState
    ) async -> [UnitID: Result<UnsentRequests, PlanningError>] {
        let planned = project.campaigns.filter { selection.includes($0.id) }
        let names = Set(planned.flatMap { [$0.id, $0.formerID].compactMap(\.self) })
        var unsent: [UnitID: Result<UnsentRequests, PlanningError>] = [:]
        for record in stored.occurrences.values where record.status == .dispatching {
            guard names.contains(record.id.campaign), let unit = record.unit,
                case .registrations(let list) = unit.target
            else { continue }
            do throws(PlanningError) {
                unsent[unit.id] = .success(try await unsentRequests(of: unit, in: list))
            } catch {
                unsent[unit.id] = .failure(error)
            }
        }
        return unsent
    }

    /// Returns requests that were not released, or that were released but are known not to have
    /// been sent.
    private func unsentRequests(
        of unit: WorkUnitRecord,
        in list: ListID
    ) async throws(PlanningError) -> UnsentRequests {
        var living: [Fingerprint] = []
        var dead: [Int] = []
        var first = 0
        while first < unit.count {
            let range = first..<min(first + 4_096, unit.count)
            let outcomes = try await reading { () async throws(StateStoreError) in
                try await store.outcomes(of: unit.id, in: range)
            }
            let registrations = try await reading { () async throws(StateStoreError) in
                try await store.registrations(of: list, from: range.lowerBound, count: range.count)
            }
            for (offset, registration) in registrations.enumerated()
            where unit.maySend(range.lowerBound + offset, outcomes[offset]) {
                let fingerprint = fingerprinter.fingerprint(of: registration)
                if self.dead.contains(fingerprint) {
                    dead.append(range.lowerBound + offset)
                } else {
                    living.append(fingerprint)
                }
            }
            first = range.upperBound
        }
        return UnsentRequests(living: living, dead: dead)
    }
}

/// Requests to a list that may still be sent.
struct UnsentRequests: Sendable {
    let living: [Fingerprint]
    /// The numbers of those whose registrations are dead.
    let dead: [Int]
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
    /// Number of single requests; nil for a topic or condition.
    package var count: Int? {
        switch self {
        case .topic, .condition, .group: nil
        case .list(_, _, let fingerprints), .stored(_, let fingerprints): fingerprints.count
        }
    }
}
