package import CampaignModel
import FoundationEssentials
import JSON
package import State
import Time

extension TableStore {
    package func expose(
        _ exposure: Exposure,
        arms: [UInt8],
        covariates: [Double]?
    ) throws(StateStoreError) {
        guard arms.count == exposure.count, covariates.map({ $0.count == arms.count }) ?? true
        else {
            throw failed("an experiment has \(arms.count) arms of \(exposure.count) subjects")
        }
        try write { db in
            let unit = exposure.unit.number
            guard
                try db.row("SELECT 1 FROM exposures WHERE unit = ?", arguments: [unit]) == nil
            else { return }
            try db.run(
                "INSERT INTO exposures (unit, people, begins, experiment, arms) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    unit, exposure.people.number, exposure.begins.secondsSince1970,
                    exposure.experiment.name, exposure.experiment.storedArms,
                ]
            )
            for first in stride(from: 0, to: arms.count, by: PeopleChunk.size) {
                let rows = first..<first + ArmsChunk.size(from: first, of: arms.count)
                let chunk = ArmsChunk(
                    arms: Array(arms[rows]),
                    covariates: covariates.map { Array($0[rows]) }
                )
                let part = Data(chunk.bytes)
                try db.run(
                    "INSERT INTO exposure_chunks (unit, first, checksum, arms) VALUES (?, ?, ?, ?)",
                    arguments: [unit, first, Checksum.of(part), part]
                )
            }
        }
    }

    private static var exposureColumns: String {
        """
        SELECT o.campaign, o.slot, o.revision, e.unit, e.people, e.begins, e.experiment, e.arms,
            units.count
        FROM exposures AS e JOIN occurrences AS o ON o.unit = e.unit
            JOIN units ON units.id = e.unit
        """
    }

    package func exposure(of unit: UnitID) throws(StateStoreError) -> Exposure? {
        try read { db in
            try db.row("\(Self.exposureColumns) WHERE e.unit = ?", arguments: [unit.number])
                .map { try exposure($0) }
        }
    }

    package func exposures(
        of campaign: CampaignID?
    ) throws(StateStoreError) -> [Exposure] {
        try read { db in
            let condition = campaign == nil ? "" : "WHERE o.campaign = ?"
            let rows = try db.rows(
                "\(Self.exposureColumns) \(condition) ORDER BY e.begins, e.unit",
                arguments: campaign.map { [$0.rawValue] } ?? []
            )
            var found: [Exposure] = []
            while let row = try rows.next() { found.append(try exposure(row)) }
            return found
        }
    }

    private func exposure(_ row: any StoredRow) throws -> Exposure {
        let unit = UnitID(number: try row.decode(Int64.self, atIndex: 3))
        let experiment = ExperimentRecord(
            name: try row.decode(String.self, atIndex: 6),
            storedArms: try row.decode(String.self, atIndex: 7)
        )
        guard let experiment else {
            throw damaged("the arms of unit \(unit.number) cannot be read")
        }
        return Exposure(
            unit: unit,
            occurrence: try occurrenceID(row, from: 0),
            experiment: experiment,
            people: PeopleID(number: try row.decode(Int64.self, atIndex: 4)),
            count: try row.decode(Int.self, atIndex: 8),
            begins: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 5))
        )
    }

    package func subjects(
        of exposure: Exposure,
        from first: Int
    ) throws(StateStoreError) -> ExposedSubjects? {
        guard first < exposure.count else { return nil }
        return try read { db in
            let size = ArmsChunk.size(from: first, of: exposure.count)
            let arms = try db.row(
                "SELECT arms, checksum FROM exposure_chunks WHERE unit = ? AND first = ?",
                arguments: [exposure.unit.number, first]
            )
            let people = try db.row(
                """
                SELECT keys, checksum, identities, zones IS NOT NULL
                FROM people_chunks JOIN people ON people.id = people
                WHERE people = ? AND first = ?
                """,
                arguments: [exposure.people.number, first]
            )
            guard let arms, let people, arms.isWhole, people.isWhole else {
                throw damaged("the subjects of unit \(exposure.unit.number) cannot be read")
            }
            let hasIdentities = try people.decode(Bool.self, atIndex: 2)
            let chunk = PeopleChunk(
                hasIdentities: hasIdentities,
                hasZones: try people.decode(Bool.self, atIndex: 3)
            )
            var rows = PeopleRows(of: chunk, count: size)
            let bytes = [UInt8](try arms.decode(Data.self, atIndex: 0))
            guard chunk.unpack(try people.decode(Data.self, atIndex: 0), into: &rows),
                rows.registrations.count == size, let stored = ArmsChunk(bytes, count: size)
            else {
                throw damaged("the subjects of unit \(exposure.unit.number) are incomplete")
            }
            return ExposedSubjects(
                registrations: rows.registrations,
                subjects: hasIdentities ? rows.identities : rows.registrations,
                arms: stored.arms,
                covariates: stored.covariates
            )
        }
    }
}

extension ExperimentRecord {
    /// The arms as stored text, which is the same for the same arms.
    var storedArms: String {
        let arms = arms.map { arm -> JSONValue in
            ["name": .string(arm.kind.column), "weight": .integer(Int64(arm.weight))]
        }
        return JSONValue.array(arms).compactText
    }

    /// Nil if the text cannot be read.
    init?(name: String, storedArms: String) {
        guard let values = JSONValue(stored: storedArms)?.arrayValue else { return nil }
        var arms: [Arm] = []
        for value in values {
            guard let column = value["name"]?.stringValue,
                let weight = value["weight"]?.integerValue, weight >= 0
            else { return nil }
            arms.append(Arm(Kind(column: column), weight: Int(weight)))
        }
        self.init(name: name, arms: arms)
    }
}
