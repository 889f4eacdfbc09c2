import CampaignModel
package import State

/// Copies a whole state from one database into the empty tables of another.
///
/// Encrypted values are copied as they are, because their places do not change.
package struct StateMove {
    /// Where the state is read, in one snapshot.
    package struct Source {
        package let db: any StateDatabase
        /// Names the state in errors.
        package let path: String
        /// Visits a unit's message IDs record by record, in the order of the records.
        package let visitIDs: (StoredUnit, ([MessageIDBlock.Entry]) throws -> Void) throws -> Void

        package init(
            _ db: any StateDatabase,
            path: String,
            visitIDs:
                @escaping (
                    StoredUnit, ([MessageIDBlock.Entry]) throws -> Void
                ) throws -> Void
        ) {
            self.db = db
            self.path = path
            self.visitIDs = visitIDs
        }
    }

    /// Where it is written, in one transaction.
    package struct Target {
        package let db: any StateDatabase
        /// Columns of `meta` that only this database has, with their values.
        package let marks: [(column: String, value: StatementValue)]
        /// Stores message IDs after a number of bytes that are stored, and returns the new number.
        package let keepIDs: ([MessageIDBlock.Entry], UnitID, Int) throws -> Int

        package init(
            _ db: any StateDatabase,
            marks: [(column: String, value: StatementValue)],
            keepIDs: @escaping ([MessageIDBlock.Entry], UnitID, Int) throws -> Int
        ) {
            self.db = db
            self.marks = marks
            self.keepIDs = keepIDs
        }
    }

    private let source: Source
    private let target: Target

    package init(from source: Source, to target: Target) {
        self.source = source
        self.target = target
    }

    package func perform() throws {
        try copy(.meta, adding: target.marks)
        for table in MovedTable.all {
            try copy(table)
            if table.isNumbered {
                let last = try source.db.lastNumber(of: table.name)
                try target.db.reserveNumbers(upTo: last, of: table.name)
            }
        }
        try copyOutcomes()
        try copyLists()
    }

    private func copy(
        _ table: MovedTable,
        adding marks: [(column: String, value: StatementValue)] = []
    ) throws {
        let names = table.columns + marks.map(\.column)
        let places = names.map { _ in "?" }.joined(separator: ", ")
        let insertion =
            "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES (\(places))"
        let rows = try source.db.rows(
            "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)"
        )
        while let row = try rows.next() {
            let values = try table.columns.indices.map { try row.value(at: $0) }
            try target.db.run(
                insertion,
                arguments: StatementValues(values + marks.map(\.value))
            )
        }
    }
}

// MARK: - Outcomes

extension StateMove {
    /// The fewest message IDs that are stored together, except for the last ones of a unit.
    private static let fewestIDs = 16_384

    private func copyOutcomes() throws {
        let rows = try source.db.rows("SELECT \(StoredUnit.columns) FROM units ORDER BY id")
        while let row = try rows.next() {
            let unit = try StoredUnit(row, from: 0)
            if !unit.isCompacted { try copyOutcomes(of: unit) }
            if unit.ids != nil { try copyIDs(of: unit) }
        }
    }

    private func copyOutcomes(of unit: StoredUnit) throws {
        for start in stride(from: 0, to: unit.count, by: unit.block) {
            var bytes: [UInt8] = []
            let isRead = try source.db.walkOutcomes(
                of: unit,
                over: start..<min(start + unit.block, unit.count)
            ) { _, outcome in
                bytes.append(outcome.byte)
                return true
            }
            guard isRead else { throw damaged("the outcomes of unit \(unit.id.number)") }
            guard bytes.contains(where: { $0 != Outcome.intended.rawValue }) else { continue }
            try target.db.insertOutcomes(bytes, of: unit, chunk: start / unit.block)
        }
    }

    /// IDs that cannot be read are left out, as in a copy of a file: outcomes are more important.
    private func copyIDs(of unit: StoredUnit) throws {
        var size = 0
        var waiting: [MessageIDBlock.Entry] = []
        func store() throws {
            if !waiting.isEmpty { size = try target.keepIDs(waiting, unit.id, size) }
            waiting = []
        }
        do {
            try source.visitIDs(unit) { entries in
                waiting += entries
                if waiting.count >= Self.fewestIDs { try store() }
            }
        } catch StateStoreError.damagedIDs {}
        try store()
        try target.db.run(
            "UPDATE units SET ids = ? WHERE id = ?",
            arguments: [size, unit.id.number]
        )
    }

    private func damaged(_ what: String) -> StateStoreError {
        .damaged(path: source.path, reason: "\(what) cannot be read")
    }
}

// MARK: - Lists

extension StateMove {
    private func copyLists() throws {
        let rows = try source.db.rows("SELECT \(StoredList.columns), digest FROM lists ORDER BY id")
        while let row = try rows.next() {
            let list = ListID(text: try row.decode(String.self, atIndex: 5))
            guard let stored = try StoredList(list, in: row, from: 0) else {
                throw damaged("a stored list")
            }
            try copyValues(of: stored)
        }
    }

    private func copyValues(of list: StoredList) throws {
        let chunks = try source.db.allRows(
            "SELECT first, count FROM list_chunks WHERE list = ?",
            arguments: [list.row]
        )
        var counts: [Int: Int] = [:]
        for chunk in chunks {
            counts[try chunk.decode(Int.self, atIndex: 0)] = try chunk.decode(Int.self, atIndex: 1)
        }
        let end = counts.map { $0.key + $0.value }.max() ?? 0
        guard end > 0 else { return }
        let damage = damaged("a part of a stored list")
        try source.db.visitValues(of: list, in: 0..<end, otherwise: damage) { first, value in
            guard let count = counts[first] else { throw damage }
            try target.db.insert(
                ListValue(first: first, count: count, bytes: Array(value)),
                into: list.row
            )
        }
    }
}
