import CampaignModel
import FoundationEssentials
import JSON
package import State
package import Time

extension TableStore {
    package func keepPeople(
        _ people: ListPeople,
        of name: PeopleName
    ) throws(StateStoreError) -> PeopleID {
        try write { db in
            let current = try current(name, in: db)
            if let current, try Self.people(current, in: db) == people {
                return PeopleID(number: current)
            }
            try db.run("UPDATE people SET current = 0 WHERE id = ?", arguments: [current])
            return try insert(people, of: name, in: db)
        }
    }

    package func keepMembers(_ people: ListPeople) throws(StateStoreError) -> PeopleID {
        try write { db in try insert(people, of: nil, in: db) }
    }

    /// `name`: nil for the members that a fan-out addresses.
    private func insert(
        _ people: ListPeople,
        of name: PeopleName?,
        in db: any StateDatabase
    ) throws -> PeopleID {
        let zones = people.zoneNumbers.map { _ in
            JSONValue.array(people.zones.map(JSONValue.string)).compactText
        }
        let number = try db.insert(
            """
            INSERT INTO people (list, identity, timezone, current, count, identities, zones)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            arguments: [
                name?.list.text, name?.columns.identity ?? "", name?.columns.timeZone ?? "",
                name != nil, people.count, people.identities != nil, zones,
            ]
        )
        let chunk = PeopleChunk(of: people)
        for first in stride(from: 0, to: people.count, by: PeopleChunk.size) {
            let rows = first..<min(first + PeopleChunk.size, people.count)
            let keys = chunk.pack(people, rows: rows)
            try db.run(
                "INSERT INTO people_chunks (people, first, checksum, keys) VALUES (?, ?, ?, ?)",
                arguments: [number, first, Checksum.of(keys), keys]
            )
        }
        return PeopleID(number: number)
    }

    package func people(of name: PeopleName) throws(StateStoreError) -> PeopleID? {
        try read { db in try current(name, in: db).map(PeopleID.init(number:)) }
    }

    package func people(of unit: UnitID) throws(StateStoreError) -> PeopleID? {
        try read { db in
            try db.row(
                "SELECT people FROM contact_windows WHERE unit = ? ORDER BY number LIMIT 1",
                arguments: [unit.number]
            ).map { PeopleID(number: try $0.decode(Int64.self, atIndex: 0)) }
        }
    }

    package func people(_ id: PeopleID) throws(StateStoreError) -> ListPeople? {
        try read { db in
            let head = try db.row("SELECT 1 FROM people WHERE id = ?", arguments: [id.number])
            guard head != nil else { return nil }
            guard let people = try Self.people(id.number, in: db) else {
                throw damaged("the people of a send cannot be read")
            }
            return people
        }
    }

    private func current(_ name: PeopleName, in db: any StateDatabase) throws -> Int64? {
        try db.row(
            """
            SELECT id FROM people
            WHERE list = ? AND identity = ? AND timezone = ? AND current = 1
            """,
            arguments: [
                name.list.text, name.columns.identity ?? "", name.columns.timeZone ?? "",
            ]
        )?.decode(Int64.self, atIndex: 0)
    }

    private static func chunks(of people: Int64, in db: any StateDatabase) throws -> any StoredRows
    {
        try db.rows(
            "SELECT keys, checksum, first FROM people_chunks WHERE people = ? ORDER BY first",
            arguments: [people]
        )
    }

    /// Nil if a part is missing or damaged.
    package static func people(_ number: Int64, in db: any StateDatabase) throws -> ListPeople? {
        let head = try db.row(
            "SELECT count, identities, zones FROM people WHERE id = ?",
            arguments: [number]
        )
        guard let head else { return nil }
        let count = try head.decode(Int.self, atIndex: 0)
        let hasIdentities = try head.decode(Bool.self, atIndex: 1)
        let zones = try head.decode(String?.self, atIndex: 2).map { text in
            JSONValue(stored: text)?.arrayValue?.compactMap(\.stringValue)
        }
        if case .some(nil) = zones { return nil }
        let names = zones ?? nil
        let chunk = PeopleChunk(hasIdentities: hasIdentities, hasZones: names != nil)
        var columns = PeopleRows(of: chunk, count: count)
        let rows = try chunks(of: number, in: db)
        while let row = try rows.next() {
            guard row.isWhole, try row.decode(Int.self, atIndex: 2) == columns.registrations.count,
                chunk.unpack(try row.decode(Data.self, atIndex: 0), into: &columns)
            else { return nil }
        }
        guard columns.registrations.count == count,
            columns.zoneNumbers.allSatisfy({ Int($0) <= names?.count ?? 0 })
        else { return nil }
        return ListPeople(
            registrations: columns.registrations,
            identities: hasIdentities ? columns.identities : nil,
            zones: names ?? [],
            zoneNumbers: names == nil ? nil : columns.zoneNumbers
        )
    }
}

extension TableStore {
    package func personKeys(of id: PeopleID) throws(StateStoreError) -> [UInt64]? {
        try read { db in
            let head = try db.row(
                "SELECT count, identities, zones IS NOT NULL FROM people WHERE id = ?",
                arguments: [id.number]
            )
            guard let head else { return nil }
            let count = try head.decode(Int.self, atIndex: 0)
            let chunk = PeopleChunk(
                hasIdentities: try head.decode(Bool.self, atIndex: 1),
                hasZones: try head.decode(Bool.self, atIndex: 2)
            )
            var keys: [UInt64] = []
            keys.reserveCapacity(count)
            let rows = try Self.chunks(of: id.number, in: db)
            while let row = try rows.next() {
                guard row.isWhole, try row.decode(Int.self, atIndex: 2) == keys.count,
                    chunk.unpackKeys(try row.decode(Data.self, atIndex: 0), into: &keys)
                else { throw damaged("the people of a send cannot be read") }
            }
            guard keys.count == count else { throw damaged("the people of a send are incomplete") }
            return keys
        }
    }
}

// MARK: - Windows

extension TableStore {
    package func beginWindow(
        _ window: ContactWindow,
        of unit: UnitID,
        to people: PeopleID
    ) throws(StateStoreError) {
        try write { db in
            try db.run(
                """
                INSERT INTO contact_windows (unit, number, people, begins, zone, mark, returned)
                SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6
                FROM contact_windows WHERE unit = ?1
                """,
                arguments: [
                    unit.number, people.number, window.begins.secondsSince1970, window.zone,
                    window.mark, RangeBytes.pack(window.returned),
                ]
            )
        }
    }

    package func contactZones() throws(StateStoreError) -> Set<String> {
        try read { db in
            let windows = try db.texts("SELECT DISTINCT zone FROM contact_windows")
            var zones = Set(windows)
            let lists = "SELECT DISTINCT zones FROM people WHERE zones IS NOT NULL"
            for text in try db.texts(lists) {
                guard let names = JSONValue(stored: text)?.arrayValue else {
                    throw damaged("the time zones of people cannot be read")
                }
                zones.formUnion(names.compactMap(\.stringValue))
            }
            return zones
        }
    }

    package func contacts(since moment: Instant) throws(StateStoreError) -> [ContactUnit] {
        try read { db in
            let rows = try db.allRows(
                """
                SELECT id, kind, count, released,
                    (SELECT people FROM contact_windows WHERE unit = units.id LIMIT 1)
                FROM units
                WHERE compacted IS NULL
                    AND id IN (SELECT unit FROM contact_windows WHERE begins >= ?)
                ORDER BY id
                """,
                arguments: [moment.secondsSince1970]
            )
            return try rows.map { row in
                let id = UnitID(number: try row.decode(Int64.self, atIndex: 0))
                return ContactUnit(
                    id: id,
                    people: PeopleID(number: try row.decode(Int64.self, atIndex: 4)),
                    isFanOut: try row.decode(Int.self, atIndex: 1) != UnitTarget.listKind,
                    count: try row.decode(Int.self, atIndex: 2),
                    released: try row.decode(Int.self, atIndex: 3),
                    windows: try windows(of: id, in: db)
                )
            }
        }
    }

    private func windows(of unit: UnitID, in db: any StateDatabase) throws -> [ContactWindow] {
        var windows: [ContactWindow] = []
        let rows = try db.rows(
            """
            SELECT begins, zone, mark, returned FROM contact_windows WHERE unit = ? ORDER BY number
            """,
            arguments: [unit.number]
        )
        while let row = try rows.next() {
            guard let returned = RangeBytes.unpack(try row.decode(Data.self, atIndex: 3)) else {
                throw damaged("a window of unit \(unit.number) cannot be read")
            }
            windows.append(
                ContactWindow(
                    begins: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 0)),
                    zone: try row.decode(String.self, atIndex: 1),
                    mark: try row.decode(Int.self, atIndex: 2),
                    returned: returned
                )
            )
        }
        return windows
    }

    /// Drops windows that count for no cap any longer, and the people that neither a window, nor an
    /// experiment, nor a stored list needs.
    func dropOldContacts(at moment: Instant, in db: any StateDatabase) throws {
        let limit = moment.advanced(bySeconds: -ContactWindow.lifetime).secondsSince1970
        try db.run("DELETE FROM contact_windows WHERE begins < ?", arguments: [limit])
        try db.run(
            """
            DELETE FROM people
            WHERE id NOT IN (SELECT people FROM contact_windows)
                AND id NOT IN (SELECT people FROM exposures)
                AND (current = 0 OR list NOT IN (SELECT digest FROM lists))
            """
        )
    }
}

// MARK: - Erasing

extension TableStore {
    /// Erases registrations from the people that caps count: their rows stay, without a person.
    func forgetContacts(
        _ erasure: ErasureRequest,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws {
        let erased = erasure.short.union(erasure.fingerprints.map(\.high))
        for number in try db.numbers("SELECT id FROM people") {
            guard let people = try Self.people(number, in: db) else {
                throw damaged("the people of a send cannot be read")
            }
            let rows = people.registrations.indices.filter {
                erased.contains(people.registrations[$0])
            }
            guard !rows.isEmpty else { continue }
            report.contacts += rows.count
            report.found.formUnion(rows.map { people.registrations[$0] })
            let rest = people.without(rows)
            try replace(rest, at: number, changing: rows, in: db)
            try forgetCovariates(of: rows, at: number, in: db)
            try forgetOutcomes(of: rows.map { people.keys[$0] }, butOf: rest, at: number, in: db)
        }
    }

    private func replace(
        _ people: ListPeople,
        at number: Int64,
        changing rows: [Int],
        in db: any StateDatabase
    ) throws {
        let chunk = PeopleChunk(of: people)
        for place in Set(rows.map { $0 / PeopleChunk.size }) {
            let first = place * PeopleChunk.size
            let rows = first..<min(first + PeopleChunk.size, people.count)
            let keys = chunk.pack(people, rows: rows)
            try db.run(
                "UPDATE people_chunks SET keys = ?, checksum = ? WHERE people = ? AND first = ?",
                arguments: [keys, Checksum.of(keys), number, first]
            )
        }
    }
}

extension ListPeople {
    /// Returns the people without the registrations, persons and zones of some rows.
    fileprivate func without(_ rows: [Int]) -> ListPeople {
        var (registrations, identities, zoneNumbers) = (registrations, identities, zoneNumbers)
        for row in rows {
            registrations[row] = 0
            identities?[row] = 0
            zoneNumbers?[row] = 0
        }
        return ListPeople(
            registrations: registrations,
            identities: identities,
            zones: zones,
            zoneNumbers: zoneNumbers
        )
    }
}
