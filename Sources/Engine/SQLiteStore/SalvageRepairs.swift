import CampaignModel
import FoundationEssentials
import GRDB
import State
import StoreTables

/// The repairs to the copied content.
package struct SalvageRepairs: Hashable, Sendable {
    /// Number of missing runs that other rows refer to.
    package private(set) var lostRuns = 0
    /// Number of occurrences that are only known to have started.
    package private(set) var lostUnits = 0
    /// Number of requests whose outcome is lost: they are now unknown.
    package private(set) var lostOutcomes = 0
    /// Number of stored lists that are incomplete.
    package private(set) var lostLists = 0
    /// Number of members whose registration is invalid or cannot be decrypted.
    package private(set) var lostMembers = 0

    init() {}

    /// Repairs a state, in the newest format.
    ///
    /// `gaps`: the tables with unreadable rows. `lists`: the files of long lists.
    init(of db: Database, keys: SalvagedKeys, gaps: Set<String>, lists: ListFolder) throws {
        if case .lost = keys {
            try forgetSealed(db)
        } else {
            let isIncomplete = !gaps.isDisjoint(with: Self.membershipTables)
            try dropMembers(
                unreadableBy: keys.vault,
                in: db,
                lists: lists,
                isIncomplete: isIncomplete
            )
            for list in try StoredLists(vault: keys.vault, folder: lists).broken(db) {
                try db.run("DELETE FROM list_chunks WHERE list = ?", arguments: [list])
            }
        }
        try nameLostRuns(db)
        try closeLostUnits(db)
        for unit in try Int64.fetchAll(db, sql: "SELECT id FROM units WHERE compacted IS NULL") {
            try repair(UnitID(number: unit), in: db)
        }
        try dropBrokenLists(db)
        try dropOrphans(db)
        try dropBrokenPeople(db, lists: lists)
    }

    /// The tables whose rows tell which registrations are members.
    private static let membershipTables: Set = ["membership_segments", "membership_chunks"]

    /// Drops sealed content, which is not readable or searchable without the keys.
    private mutating func forgetSealed(_ db: Database) throws {
        let counted = try Int.fetchOne(db, sql: "SELECT sum(members) FROM scope_counts")
        lostMembers = counted ?? 0
        let tables = [
            "scope_counts", "membership_chunks", "membership_segments", "registration_pages",
            "scopes", "dead", "opt_outs", "upstream_exclusions",
            "upstream_members", "upstream_answers", "list_chunks", "contact_windows",
            "subject_outcomes",
            "exposure_chunks", "exposures", "people_chunks", "people",
        ]
        for table in tables { try db.run("DELETE FROM \(table)") }
    }

    private mutating func dropMembers(
        unreadableBy vault: StateVault?,
        in db: Database,
        lists: ListFolder,
        isIncomplete: Bool
    ) throws {
        let tables = SegmentTables(
            db: SQLiteSession(db, lists: lists),
            sealer: ContentSealer(vault: vault, path: "")
        )
        lostMembers = try StoredMembers(tables).salvage(isIncomplete: isIncomplete)
    }

    private mutating func nameLostRuns(_ db: Database) throws {
        for table in ["definitions", "occurrences", "run_sendings", "run_memberships"] {
            try db.run(
                """
                INSERT OR IGNORE INTO runs (id, status, command, user, host, process, began)
                SELECT DISTINCT run, ?, '(lost)', '', '', 0, 0 FROM \(table)
                WHERE run NOT IN (SELECT id FROM runs)
                """,
                arguments: [RunStatus.abandoned.rawValue]
            )
            lostRuns += db.changesCount
        }
    }

    /// Closes occurrences without their unit, because they started and must not start again.
    private mutating func closeLostUnits(_ db: Database) throws {
        try db.run(
            """
            UPDATE occurrences SET unit = NULL, hold = NULL, status = ?
            WHERE unit IS NOT NULL AND unit NOT IN (SELECT id FROM units)
            """,
            arguments: [OccurrenceStatus.finished.rawValue]
        )
        lostUnits = db.changesCount
        try db.run(
            "UPDATE occurrences SET status = ? WHERE unit IS NULL AND status = ?",
            arguments: [OccurrenceStatus.finished.rawValue, OccurrenceStatus.dispatching.rawValue]
        )
        lostUnits += db.changesCount
    }

    private mutating func dropBrokenLists(_ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT id, count FROM lists")
        for row in rows {
            let (id, count) = (
                try row.decode(Int64.self, atIndex: 0), try row.decode(Int.self, atIndex: 1)
            )
            guard try !isWhole(id, count: count, in: db) else { continue }
            try db.run("DELETE FROM list_chunks WHERE list = ?", arguments: [id])
            try db.run("DELETE FROM lists WHERE id = ?", arguments: [id])
            lostLists += 1
        }
        // The next apply stores the lists of scheduled sends again.
        try db.run(
            "UPDATE definitions SET list = NULL WHERE list NOT IN (SELECT digest FROM lists)"
        )
    }

    /// Drops records of people that are incomplete: their messages no longer count.
    private func dropBrokenPeople(_ db: Database, lists: ListFolder) throws {
        let session = SQLiteSession(db, lists: lists)
        for id in try Int64.fetchAll(db, sql: "SELECT id FROM people")
        where try SQLiteStore.people(id, in: session) == nil {
            for table in ["contact_windows", "exposures", "people_chunks"] {
                try db.run("DELETE FROM \(table) WHERE people = ?", arguments: [id])
            }
            try db.run("DELETE FROM people WHERE id = ?", arguments: [id])
        }
        try dropBrokenExposures(db)
    }

    /// Drops exposures without all of their arms: their results cannot be believed.
    private func dropBrokenExposures(_ db: Database) throws {
        for unit in try Int64.fetchAll(db, sql: "SELECT unit FROM exposures")
        where try !hasWholeArms(unit, in: db) {
            try db.run("DELETE FROM exposures WHERE unit = ?", arguments: [unit])
        }
        for table in ["exposure_chunks", "subject_outcomes"] {
            try db.run("DELETE FROM \(table) WHERE unit NOT IN (SELECT unit FROM exposures)")
        }
    }

    private func hasWholeArms(_ unit: Int64, in db: Database) throws -> Bool {
        let count = try Int.fetchOne(
            db,
            sql: "SELECT count FROM people JOIN exposures ON people.id = people WHERE unit = ?",
            arguments: [unit]
        )
        guard let count else { return false }
        var next = 0
        let rows = try db.rows(
            "SELECT arms, checksum, first FROM exposure_chunks WHERE unit = ? ORDER BY first",
            arguments: [unit]
        )
        while let row = try rows.next() {
            let bytes = [UInt8](try row.decode(Data.self, atIndex: 0))
            let size = ArmsChunk.size(from: next, of: count)
            guard SQLiteRow(row: row).isWhole, try row.decode(Int.self, atIndex: 2) == next,
                size > 0, ArmsChunk(bytes, count: size) != nil
            else { return false }
            next += size
        }
        return next == count
    }

    private func isWhole(_ list: Int64, count: Int, in db: Database) throws -> Bool {
        let rows = try db.rows(
            """
            SELECT first, count FROM list_chunks WHERE list = ? ORDER BY first
            """,
            arguments: [list]
        )
        var next = 0
        while let row = try rows.next() {
            guard try row.decode(Int.self, atIndex: 0) == next else { return false }
            next += try row.decode(Int.self, atIndex: 1)
        }
        return next == count
    }

    /// Drops rows that refer to missing ones.
    private func dropOrphans(_ db: Database) throws {
        let pieces = [
            ("outcome_chunks", "unit", "units"), ("outcome_details", "unit", "units"),
            ("contact_windows", "unit", "units"), ("contact_windows", "people", "people"),
            ("people_chunks", "people", "people"), ("exposures", "unit", "units"),
            ("exposures", "people", "people"), ("exposure_chunks", "unit", "units"),
            ("subject_outcomes", "unit", "units"),
            ("list_chunks", "list", "lists"), ("scope_counts", "scope", "scopes"),
            ("membership_segments", "scope", "scopes"),
            ("membership_chunks", "segment", "membership_segments"),
            ("registration_pages", "scope", "scopes"),
        ]
        for (table, column, parent) in pieces {
            try db.run("DELETE FROM \(table) WHERE \(column) NOT IN (SELECT id FROM \(parent))")
        }
    }
}

// MARK: - Outcomes

extension SalvageRepairs {
    /// Marks a lost range of outcomes as unknown, unless its unit shows that it was never sent.
    private mutating func repair(_ unit: UnitID, in db: Database) throws {
        guard
            let row = try db.row(
                "SELECT count, block, \(OutcomeTally.columns) FROM units WHERE id = ?",
                arguments: [unit.number]
            )
        else { return }
        let chunks = StoredChunks(
            unit: unit,
            count: try row.decode(Int.self, atIndex: 0),
            block: try row.decode(Int.self, atIndex: 1)
        )
        let stored = try OutcomeTally(SQLiteRow(row: row), from: 2)
        var (tally, absent, broken) = (OutcomeTally(), [Int](), [Int]())
        for number in 0..<chunks.number {
            switch try chunks.read(number, in: db) {
            case .whole(let outcomes): for outcome in outcomes { tally[outcome] += 1 }
            case .absent:
                absent.append(number)
                tally[.intended] += chunks.length(of: number)
            case .broken: broken.append(number)
            }
        }
        if broken.isEmpty, tally == stored { return }
        for number in absent { tally[.intended] -= chunks.length(of: number) }
        for number in absent + broken {
            try chunks.makeUnknown(number, in: db)
            tally[.unknown] += chunks.length(of: number)
            lostOutcomes += chunks.length(of: number)
        }
        try write(tally, of: unit, in: db)
    }

    private func write(_ tally: OutcomeTally, of unit: UnitID, in db: Database) throws {
        let assignments = OutcomeTally.columns.split(separator: ", ").map { "\($0) = ?" }
        let arguments = StatementArguments(tally.values) + [unit.number]
        try db.run(
            "UPDATE units SET released = count, \(assignments.joined(separator: ", ")) WHERE id = ?",
            arguments: arguments
        )
    }
}

/// The stored ranges of a unit's outcomes, any of which may be missing.
private struct StoredChunks {
    enum Chunk {
        case whole([Outcome])
        case absent
        case broken
    }

    let unit: UnitID
    let count: Int
    let block: Int

    var number: Int { (count + block - 1) / block }

    func length(of chunk: Int) -> Int { min(block, count - chunk * block) }

    func read(_ chunk: Int, in db: Database) throws -> Chunk {
        let row = try db.row(
            "SELECT outcomes, checksum FROM outcome_chunks WHERE unit = ? AND chunk = ?",
            arguments: [unit.number, chunk]
        )
        guard let row else { return .absent }
        guard SQLiteRow(row: row).isWhole, let bytes = try? row.decode(Data.self, atIndex: 0),
            bytes.count == length(of: chunk)
        else { return .broken }
        let outcomes = bytes.compactMap { StoredOutcome(byte: $0)?.outcome }
        return outcomes.count == bytes.count ? .whole(outcomes) : .broken
    }

    func makeUnknown(_ chunk: Int, in db: Database) throws {
        let bytes = Data(repeating: Outcome.unknown.rawValue, count: length(of: chunk))
        try db.run(
            "INSERT OR REPLACE INTO outcome_chunks (unit, chunk, outcomes, checksum) VALUES (?, ?, ?, ?)",
            arguments: [unit.number, chunk, bytes, Checksum.of(bytes)]
        )
    }
}
