package import CampaignModel
import RegistrationLists
import State
package import Time

/// The requests to parts of stored lists.
extension Planner {
    /// Reads the rows of the stored lists that are in the parts of due occurrences.
    ///
    /// `parts`: those parts, by campaign.
    func storedParts(
        of parts: [CampaignID: Set<String>],
        in applied: AppliedState,
        known: DeadRegistrations
    ) async -> [SendPart: Result<StoredRequests, PlanningError>] {
        var found: [SendPart: Result<StoredRequests, PlanningError>] = [:]
        for campaign in project.campaigns where selection.includes(campaign.id) {
            guard let names = parts[campaign.id]?.sorted(),
                let list = applied.definitions[campaign.id]?.sending?.list
            else { continue }
            let keys = names.map { SendPart(campaign: campaign.id, part: $0) }
            do throws(PlanningError) {
                let read = try await storedParts(of: list, for: campaign, in: names, known: known)
                for (key, part) in zip(keys, read) { found[key] = .success(part) }
            } catch {
                for key in keys { found[key] = .failure(error) }
            }
        }
        return found
    }

    /// Reads a list once for several parts.
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
        let shape = try await reading { () async throws(StateStoreError) in
            try await store.shape(of: list)
        }
        let place = try StoredPlace(
            of: campaign,
            people: people,
            in: shape,
            standard: campaign.standardZone(in: project)
        )
        let texts = StoredTexts(of: shape.columns)
        var readers = names.map { _ in PartRows(texts) }
        let wanted = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var first = 0
        while true {
            let range = first..<first + 4_096
            let rows = try await self.rows(
                of: list,
                in: range,
                withValues: texts != nil || campaign.division.column != nil
            )
            for (offset, row) in rows.enumerated() {
                guard let part = place.part(of: row, number: first + offset),
                    let reader = wanted[part]
                else { continue }
                let fingerprint = fingerprinter.fingerprint(of: row.registration)
                let isDead =
                    known.contains(fingerprint) || row.registration == ListShape.erased
                readers[reader].add(first + offset, as: row, fingerprint, isDead: isDead)
            }
            first += rows.count
            guard rows.count == range.count else { break }
        }
        return readers.map { $0.requests(to: list) }
    }
}

/// Finds the part of a campaign that a row of a stored list is in.
private struct StoredPlace {
    private let zones: ZoneParts?
    private let people: [UInt16]
    private let names: [String]
    /// The number of the column with the row's time; nil if the zone decides.
    private let column: Int?

    init(
        of campaign: Campaign,
        people: ListPeople?,
        in shape: ListShape,
        standard: String
    ) throws(PlanningError) {
        if campaign.division.column != nil {
            column = shape.columns.firstIndex(of: MessageColumns.timeColumn)
            zones = nil
            self.people = people?.personZones ?? []
            names = [standard] + (people?.zones ?? [])
            guard column != nil, people != nil || campaign.peopleColumns.timeZone == nil else {
                throw .noRecipientZones(campaign.id)
            }
        } else {
            guard let people else { throw .noRecipientZones(campaign.id) }
            zones = ZoneParts(people, standard: standard)
            (self.people, names, column) = ([], [], nil)
        }
    }

    /// Nil if the row gets no message.
    func part(of row: RegistrationRow, number: Int) -> String? {
        guard let column else { return zones?.zone(ofRow: number) }
        guard row.values.indices.contains(column), !row.values[column].isEmpty else { return nil }
        let zone = people.indices.contains(number) ? Int(people[number]) : 0
        return TimeInZone(time: row.values[column], zone: zone).slot(in: names)
    }
}

/// Collects the requests to a part of a list.
private struct PartRows {
    private var rows: [Int] = []
    private var living: [Fingerprint] = []
    private var dead: [Int] = []
    private var heldOut: [Int] = []
    private var texts: StoredTexts?

    init(_ texts: StoredTexts?) {
        self.texts = texts
    }

    /// The requests are numbered in the order of the rows.
    mutating func add(
        _ number: Int,
        as row: RegistrationRow,
        _ fingerprint: Fingerprint,
        isDead: Bool
    ) {
        let key = row.values.last ?? ""
        if texts?.isHeldOut(key) ?? false {
            heldOut.append(rows.count)
        } else if isDead {
            dead.append(rows.count)
        } else {
            living.append(fingerprint)
            texts?.add(key)
        }
        rows.append(number)
    }

    func requests(to list: ListID) -> StoredRequests {
        StoredRequests(
            list: list,
            rows: rows,
            living: living,
            dead: dead,
            heldOut: heldOut,
            texts: texts?.texts
        )
    }
}

extension Campaign {
    /// Returns the part of the campaign that a slot belongs to; the campaign itself if all
    /// recipients share its slots, or if the slot is that of another schedule.
    ///
    /// A zone that the system does not know has the rules of the zone of recipients without one.
    package func part(of slot: Slot, in database: TimeZoneDatabase) -> Campaign {
        let own: String?
        if case .perValue(_, let zone) = division { own = zone } else { own = schedule.zone }
        guard division.isDivided, let name = slot.part, let own,
            let standard = try? database.rules(named: own)
        else { return self }
        return part(
            name,
            standard: standard,
            rules: { zone in (try? database.rules(named: zone)) ?? standard }
        ) ?? self
    }

    /// The slot of a part of a campaign without a rule.
    func slot(ofPart name: String) -> Slot {
        division.column == nil ? .once(in: name) : Slot(text: name)
    }
}
