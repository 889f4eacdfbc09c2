package import CampaignModel
import RegistrationLists
import State
package import Time

/// The requests to parts of stored lists.
extension Planner {
    /// Reads the rows of the stored lists that are in the zones of due occurrences.
    ///
    /// `zones`: those zones, by campaign.
    func storedParts(
        of zones: [CampaignID: Set<String>],
        in applied: AppliedState,
        known: DeadRegistrations
    ) async -> [SendPart: Result<StoredRequests, PlanningError>] {
        var found: [SendPart: Result<StoredRequests, PlanningError>] = [:]
        for campaign in project.campaigns where selection.includes(campaign.id) {
            guard let names = zones[campaign.id]?.sorted(),
                let list = applied.definitions[campaign.id]?.sending?.list
            else { continue }
            let keys = names.map { SendPart(campaign: campaign.id, zone: $0) }
            do throws(PlanningError) {
                let parts = try await storedParts(of: list, for: campaign, in: names, known: known)
                for (key, part) in zip(keys, parts) { found[key] = .success(part) }
            } catch {
                for key in keys { found[key] = .failure(error) }
            }
        }
        return found
    }

    /// Reads a list once for several zones.
    private func storedParts(
        of list: ListID,
        for campaign: Campaign,
        in names: [String],
        known: DeadRegistrations
    ) async throws(PlanningError) -> [StoredRequests] {
        let name = PeopleName(of: list, columns: campaign.peopleColumns)
        let people = try await reading { () async throws(StateStoreError) in
            guard let record = try await store.people(of: name) else { return nil as ListPeople? }
            return try await store.people(record)
        }
        guard let people else { throw .noRecipientZones(campaign.id) }
        let standard = DueTimes.zone(of: campaign.schedule, in: project)
        let places = ZoneParts(people, standard: standard)
        let shape = try await reading { () async throws(StateStoreError) in
            try await store.shape(of: list)
        }
        let hasTexts = shape.columns.last == MessageColumns.keyColumn
        var readers = names.map { _ in PartRows(hasTexts: hasTexts) }
        let wanted = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var first = 0
        while true {
            let range = first..<first + 4_096
            let rows = try await self.rows(of: list, in: range, withValues: hasTexts)
            for (offset, row) in rows.enumerated() {
                guard let zone = places.zone(ofRow: first + offset), let place = wanted[zone]
                else { continue }
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                let isDead =
                    known.contains(fingerprint) || row.registration == ListShape.erased
                readers[place].add(first + offset, as: row, fingerprint, isDead: isDead)
            }
            first += rows.count
            guard rows.count == range.count else { break }
        }
        return readers.map { $0.requests(to: list) }
    }
}

/// Collects the requests to a part of a list.
private struct PartRows {
    private var rows: [Int] = []
    private var living: [Fingerprint] = []
    private var dead: [Int] = []
    private var texts: StoredTexts?

    init(hasTexts: Bool) {
        texts = hasTexts ? StoredTexts() : nil
    }

    /// The requests are numbered in the order of the rows.
    mutating func add(
        _ number: Int,
        as row: RegistrationRow,
        _ fingerprint: Fingerprint,
        isDead: Bool
    ) {
        if isDead {
            dead.append(rows.count)
        } else {
            living.append(fingerprint)
            texts?.add(row.values.last ?? "")
        }
        rows.append(number)
    }

    func requests(to list: ListID) -> StoredRequests {
        StoredRequests(list: list, rows: rows, living: living, dead: dead, texts: texts?.texts)
    }
}

extension Campaign {
    /// Returns the part of the campaign that a slot belongs to; the campaign itself if all
    /// recipients share its slots, or if the slot is that of another schedule.
    ///
    /// A zone that the system does not know has the rules of the zone of recipients without one.
    package func part(of slot: Slot, in database: TimeZoneDatabase) -> Campaign {
        guard division == .perZone, let name = slot.zone, let standard = schedule.zone,
            let rules = try? database.rules(named: standard)
        else { return self }
        return part(
            in: name,
            rules: (try? database.rules(named: name)) ?? rules,
            standard: rules
        )
    }
}
