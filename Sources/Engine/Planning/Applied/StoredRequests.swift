import CampaignModel
import RegistrationLists
import Scheduling
import State
import Time

/// The requests of a send to a stored list, or to a part of it, that has not started.
struct StoredRequests: Sendable {
    let list: ListID
    /// The numbers of the rows that get the message; nil for all.
    let rows: [Int]?
    let living: [Fingerprint]
    /// The numbers of those whose registrations are dead or were erased.
    let dead: [Int]
    /// The numbers of those whose people are held out.
    let heldOut: [Int]
    /// The texts of the living; nil if all have the campaign's own.
    let texts: RequestTexts?
    /// Nil without a rollout.
    var stages: [PlannedRollout.Stage]?

    /// `columns`: those of the list's people.
    func target(columns: PeopleColumns) -> SendStepTarget {
        guard let rows else { return .stored(list, fingerprints: living) }
        let part = ListPart(content: nil, list: list, rows: rows, columns: columns)
        return .part(part, fingerprints: living)
    }
}

extension Planner {
    /// Reads the stored lists of the campaigns that are due.
    func storedRequests(
        in applied: AppliedState,
        known: DeadRegistrations
    ) async -> [SendPart: Result<StoredRequests, PlanningError>] {
        let campaigns = Dictionary(
            project.campaigns.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let records = applied.occurrences.values.filter { record in
            isDue(record, of: campaigns[record.id.campaign])
        }
        let divided = records.filter { campaigns[$0.id.campaign]?.division.isDivided ?? false }
        let due = Set(records.map(\.id.campaign)).subtracting(divided.map(\.id.campaign))
        var found = await storedParts(
            of: Dictionary(grouping: divided, by: \.id.campaign)
                .mapValues { Set($0.compactMap(\.id.slot.part)) },
            in: applied,
            known: known
        )
        let lists = due.compactMap { campaign -> (campaign: CampaignID, list: ListID)? in
            guard selection.includes(campaign) else { return nil }
            return applied.definitions[campaign]?.sending?.list.map { (campaign, $0) }
        }
        for first in stride(from: 0, to: lists.count, by: Self.listsPerRead) {
            let part = lists[first..<min(first + Self.listsPerRead, lists.count)]
            let pages = await beginnings(of: part.map(\.list))
            for (item, page) in zip(part, pages) {
                let key = SendPart(campaign: item.campaign)
                do throws(PlanningError) {
                    found[key] = .success(
                        try await storedRequests(
                            of: item.list,
                            beginningWith: page,
                            known: known,
                            rollout: campaigns[item.campaign]?.policy.rollout
                        )
                    )
                } catch {
                    found[key] = .failure(error)
                }
            }
        }
        return found
    }

    /// One read of the store per small list would take longer than the rest of the plan.
    private static let listsPerRead = 256
    private static let rowsPerList = 64
    /// The stored parts of a list have 1,000 rows at most; those at the ends of a range are read twice.
    private static let rowsAtOnce = 10_000

    /// The beginnings of lists; nil if one of them cannot be read, which is reported for its
    /// campaign.
    private func beginnings(of lists: [ListID]) async -> [ListPage?] {
        let pages = try? await store.beginnings(of: lists, count: Self.rowsPerList)
        return pages ?? lists.map { _ in nil }
    }

    /// Returns the requests to the stored list of an occurrence's campaign.
    func storedRequests(of id: OccurrenceID) throws(PlanningError) -> StoredRequests {
        guard let stored = known.stored[SendPart(of: id)] else { throw .unreadableOccurrence(id) }
        return try stored.get()
    }

    /// Whether a scheduled occurrence may be due.
    ///
    /// New rules of a time zone may have moved it by at most a day.
    private func isDue(_ record: OccurrenceRecord, of campaign: Campaign?) -> Bool {
        guard record.status == .scheduled else { return false }
        if record.due <= now { return true }
        guard record.due <= now.advanced(bySeconds: 86_400),
            let campaign = campaign?.part(of: record.id.slot, in: zones)
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

    /// `page`: the beginning of the list, if it was read.
    private func storedRequests(
        of list: ListID,
        beginningWith page: ListPage?,
        known: DeadRegistrations,
        rollout: Rollout?
    ) async throws(PlanningError) -> StoredRequests {
        let shape: ListShape
        if let page {
            shape = page.shape
        } else {
            shape = try await reading { () async throws(StateStoreError) in
                try await store.shape(of: list)
            }
        }
        var texts = StoredTexts(of: shape.columns)
        var places = StoredPlaces(of: shape.columns, for: rollout)
        var living: [Fingerprint] = []
        var dead: [Int] = []
        var heldOut: [Int] = []
        var first = 0
        while true {
            let isBeginning = first == 0 && page != nil
            let range = first..<first + (isBeginning ? Self.rowsPerList : Self.rowsAtOnce)
            let rows: [RegistrationRow]
            if isBeginning, let page {
                rows = page.rows
            } else {
                let needsValues = texts != nil || places != nil
                rows = try await self.rows(of: list, in: range, withValues: needsValues)
            }
            for (offset, row) in rows.enumerated() {
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                let key = row.values.last ?? ""
                let livingCount = living.count
                defer { places?.add(row, isAddressed: living.count > livingCount) }
                if texts?.isHeldOut(key) ?? false {
                    heldOut.append(first + offset)
                } else if known.contains(fingerprint) || row.registration == ListShape.erased {
                    dead.append(first + offset)
                } else {
                    living.append(fingerprint)
                    texts?.add(key)
                }
            }
            first += rows.count
            guard rows.count == range.count else { break }
        }
        return StoredRequests(
            list: list,
            rows: nil,
            living: living,
            dead: dead,
            heldOut: heldOut,
            texts: texts?.texts,
            stages: places?.counter.stages
        )
    }
}
