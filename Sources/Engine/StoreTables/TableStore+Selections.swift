package import CampaignModel
package import State

// Reads of single items: no call parses data of other campaigns.
extension TableStore {
    package func campaigns() throws(StateStoreError) -> Set<CampaignID> {
        try read { db in
            var names: Set<CampaignID> = []
            let rows = try db.rows(
                "SELECT campaign FROM definitions UNION SELECT campaign FROM occurrences"
            )
            while let row = try rows.next() { names.insert(try campaign(row, at: 0)) }
            return names
        }
    }

    package func definitions(
        of campaigns: Set<CampaignID>
    ) throws(StateStoreError) -> [CampaignID: CampaignDefinition] {
        try read { db in
            let query = StoredDefinition.query + " WHERE campaign = ?"
            return try parsed(
                campaigns.compactMap { campaign in
                    try db.row(query, arguments: [campaign.rawValue]).map(storedDefinition)
                }
            )
        }
    }

    package func occurrence(_ id: OccurrenceID) throws(StateStoreError) -> OccurrenceRecord? {
        try read { db in
            try db.row(
                "\(Self.occurrenceQuery) WHERE campaign = ? AND slot = ? AND revision = ?",
                arguments: id.arguments
            ).map(occurrence)
        }
    }

    package func occurrences(
        _ selection: OccurrenceSelection
    ) throws(StateStoreError) -> [OccurrenceRecord] {
        try read { db in
            var found: [OccurrenceRecord] = []
            for (condition, arguments) in selection.conditions {
                let rows = try db.rows("\(Self.occurrenceQuery) \(condition)", arguments: arguments)
                while let row = try rows.next() { found.append(try occurrence(row)) }
            }
            return found.sorted { $0.id < $1.id }
        }
    }

    /// Counted with indexes; the few unsettled ones are subtracted.
    package func settledOccurrences() throws(StateStoreError) -> SettledOccurrences {
        try read { db in
            var counts: [OccurrenceStatus: Int] = [:]
            let rows = try db.rows(
                """
                SELECT status, count(*), 0 FROM occurrences GROUP BY status
                UNION ALL SELECT status, -count(*), 1 FROM occurrences
                WHERE \(OccurrenceSelection.endedUnknown) GROUP BY status
                """
            )
            while let row = try rows.next() {
                let raw = try row.decode(UInt8.self, atIndex: 0)
                guard let status = OccurrenceStatus(rawValue: raw) else {
                    throw damaged("an occurrence has the unknown status \(raw)")
                }
                counts[status, default: 0] += try row.decode(Int.self, atIndex: 1)
            }
            return SettledOccurrences(
                finished: counts[.finished] ?? 0,
                cancelled: counts[.cancelled] ?? 0,
                expired: counts[.expired] ?? 0,
                compacted: try count("units WHERE compacted IS NOT NULL", in: db),
                repeated: try settledRepeats(db)
            )
        }
    }

    private func settledRepeats(_ db: any StateDatabase) throws -> Int {
        let all = try count("outcome_details WHERE \(db.dialect.isRepeat)", in: db)
        guard all > 0 else { return 0 }
        return try count(
            """
            outcome_details JOIN occurrences USING (unit)
            WHERE \(db.dialect.isRepeat) AND NOT \(OccurrenceSelection.isOpen)
                AND unit NOT IN (SELECT id FROM units WHERE unknown > 0)
            """,
            in: db
        )
    }

    private func count(_ what: String, in db: any StateDatabase) throws -> Int {
        try db.row("SELECT count(*) FROM \(what)")?.decode(Int.self, atIndex: 0) ?? 0
    }

    package func unit(_ id: UnitID) throws(StateStoreError) -> WorkUnitRecord {
        try read { db in
            let row = try db.row(
                "SELECT \(Self.unitColumns) FROM units WHERE id = ?",
                arguments: [id.number]
            )
            guard let unit = try row.flatMap({ try unit($0, from: 0) }) else {
                throw failed("there is no unit \(id.number)")
            }
            return unit
        }
    }
}

extension OccurrenceSelection {
    fileprivate static let isOpen = """
        status IN (\(OccurrenceStatus.scheduled.rawValue), \(OccurrenceStatus.dispatching.rawValue))
        """

    /// Has the form of an index that contains exactly these occurrences.
    fileprivate static let isOpenRecall = """
        recall IS NOT NULL AND status < \(OccurrenceStatus.finished.rawValue)
        """

    /// Ended occurrences with unknown outcomes, found with an index that contains exactly their
    /// units.
    fileprivate static let endedUnknown = """
        NOT \(isOpen) AND unit IN (SELECT id FROM units WHERE unknown > 0)
        """

    /// The selection as disjoint parts, each the end of a query.
    fileprivate var conditions: [(String, StatementValues)] {
        switch self {
        case .all: [("", [])]
        case .of(let campaigns): campaigns.map { ("WHERE campaign = ?", [$0.rawValue]) }
        case .dispatching: [("WHERE status = ?", [OccurrenceStatus.dispatching.rawValue])]
        case .unsettled: [("WHERE \(Self.isOpen)", []), ("WHERE \(Self.endedUnknown)", [])]
        case .openRecalls: [("WHERE \(Self.isOpenRecall)", [])]
        case .openReplies:
            [
                (
                    "WHERE status = ? AND slot LIKE '\(Slot.replyMark)%'",
                    [OccurrenceStatus.dispatching.rawValue]
                )
            ]
        }
    }
}
