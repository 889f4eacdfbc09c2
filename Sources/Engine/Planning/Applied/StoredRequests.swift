import CampaignModel
import RegistrationLists
import Scheduling
import State
import Time

/// The requests of a send to a stored list that has not started.
struct StoredRequests: Sendable {
    let list: ListID
    let living: [Fingerprint]
    /// The numbers of those whose registrations are dead or were erased.
    let dead: [Int]
    /// The texts of the living; nil if the message has no `locales`.
    let texts: RequestTexts?
}

extension Planner {
    /// Reads the stored lists of the campaigns that are due.
    func storedRequests(
        in applied: AppliedState,
        known: DeadRegistrations
    ) async -> [CampaignID: Result<StoredRequests, PlanningError>] {
        let due = Set(applied.occurrences.values.filter(isDue).map(\.id.campaign))
        var found: [CampaignID: Result<StoredRequests, PlanningError>] = [:]
        for campaign in due {
            guard selection.includes(campaign),
                let list = applied.definitions[campaign]?.sending?.list
            else { continue }
            do throws(PlanningError) {
                found[campaign] = .success(try await storedRequests(of: list, known: known))
            } catch {
                found[campaign] = .failure(error)
            }
        }
        return found
    }

    /// Returns the requests to the stored list of an occurrence's campaign.
    func storedRequests(of id: OccurrenceID) throws(PlanningError) -> StoredRequests {
        guard let stored = known.stored[id.campaign] else { throw .unreadableOccurrence(id) }
        return try stored.get()
    }

    /// Whether a scheduled occurrence may be due.
    ///
    /// New rules of a time zone may have moved it by at most a day.
    private func isDue(_ record: OccurrenceRecord) -> Bool {
        guard record.status == .scheduled else { return false }
        if record.due <= now { return true }
        guard record.due <= now.advanced(bySeconds: 86_400),
            let campaign = project.campaigns.first(where: { $0.id == record.id.campaign })
        else { return false }
        switch campaign.schedule {
        case .immediate: return true
        case .at(let moment): return moment.instant <= now
        case .repeating(let schedule):
            guard let rules = try? zones.rules(named: schedule.zone) else { return false }
            let moment = RuleSlots(schedule, in: rules).moment(of: record.id.slot)
            return moment.map { $0.moment <= now } ?? false
        }
    }

    private func storedRequests(
        of list: ListID,
        known: DeadRegistrations
    ) async throws(PlanningError) -> StoredRequests {
        let shape = try await reading { () async throws(StateStoreError) in
            try await store.shape(of: list)
        }
        var texts = shape.columns.last == MessageColumns.keyColumn ? StoredTexts() : nil
        var living: [Fingerprint] = []
        var dead: [Int] = []
        var first = 0
        while true {
            let range = first..<first + 4_096
            let rows = try await rows(of: list, in: range, withValues: texts != nil)
            for (offset, row) in rows.enumerated() {
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                if known.contains(fingerprint) || row.registration == ListShape.erased {
                    dead.append(first + offset)
                } else {
                    living.append(fingerprint)
                    texts?.add(row.values.last ?? "")
                }
            }
            first += rows.count
            guard rows.count == range.count else { break }
        }
        return StoredRequests(list: list, living: living, dead: dead, texts: texts?.texts)
    }
}
