import FoundationEssentials
import GRDB
import JSON
package import State

extension SQLiteStore {
    package func verifyHistory() throws(StateStoreError) -> ChainVerdict {
        try read { db in
            var walk = ChainWalk(previous: try origin(db))
            let links = try db.rows("SELECT number, run, content, hash FROM chain ORDER BY number")
            while let row = try links.next() { walk.visit(try ChainLink(row)) }
            let runsBefore = walk.runsBefore ?? 0
            var findings = walk.findings
            try checkSerial(walk, &findings, db)
            try checkStanding(walk, &findings, db)
            try checkRuns(after: runsBefore, walk.renames, &findings, db)
            return ChainVerdict(
                head: ChainHead(count: walk.last, hash: walk.previous.hexadecimal),
                runsBefore: runsBefore,
                findings
            )
        }
    }

    private func checkStanding(
        _ walk: ChainWalk,
        _ findings: inout ChainFindings,
        _ db: Database
    ) throws {
        compare(.pauses, walk.pauses, try ChainedTable.pauses.rows(db), &findings)
        let asked = try ChainedTable.resolutions.rows(db)
        compare(.resolutions, walk.resolutions, asked, &findings)
    }

    /// Checks that the serial rises with each run, which detects that the last runs are missing.
    private func checkSerial(
        _ walk: ChainWalk,
        _ findings: inout ChainFindings,
        _ db: Database
    ) throws {
        let serial = try db.row("SELECT serial FROM meta")?.decode(Int64.self, atIndex: 0)
        guard let written = walk.serial, serial != written else { return }
        let values = ChangedValue(
            name: "serial",
            written: String(written),
            found: serial.map { String($0) }
        )
        findings.add(nil, .serial, .changed([values]))
    }

    private func checkRuns(
        after runsBefore: Int64,
        _ renames: [ChainWalk.Rename],
        _ findings: inout ChainFindings,
        _ db: Database
    ) throws {
        let gone = try db.rows(
            "SELECT DISTINCT run FROM chain WHERE run > ? AND run NOT IN (SELECT id FROM runs)",
            [runsBefore]
        )
        while let row = try gone.next() {
            findings.add(try row.decode(Int64.self, atIndex: 0), .run, .gone)
        }
        let runs = try db.rows("SELECT id FROM runs WHERE id > ? ORDER BY id", [runsBefore])
        while let row = try runs.next() {
            try check(try row.decode(Int64.self, atIndex: 0), renames, &findings, db)
        }
    }

    private func check(
        _ run: Int64,
        _ renames: [ChainWalk.Rename],
        _ findings: inout ChainFindings,
        _ db: Database
    ) throws {
        var written = WrittenRun()
        var renames = renames[...]
        let entries = try db.rows(
            "SELECT number, content FROM chain WHERE run = ? ORDER BY number",
            [run]
        )
        while let row = try entries.next() {
            let number = try row.decode(Int64.self, atIndex: 0)
            while let rename = renames.first, rename.number < number {
                written.apply(rename)
                renames.removeFirst()
            }
            // Unreadable entries have already been found.
            ChainEntry(content: try row.decode(String.self, atIndex: 1)).map { written.apply($0) }
        }
        for rename in renames { written.apply(rename) }
        guard written.hasBegun else { return findings.add(run, .run, .added) }
        for (table, rows) in written.tables {
            compare(table, rows, try table.rows(of: run, db), run: run, &findings)
        }
    }

    private func compare(
        _ table: ChainedTable,
        _ written: ChainedRows,
        _ found: ChainedRows,
        run: Int64? = nil,
        _ findings: inout ChainFindings
    ) {
        for key in Set(written.byKey.keys).union(found.byKey.keys).sorted() {
            let subject = table.subject(key)
            switch (written.byKey[key], found.byKey[key]) {
            case (let written?, let found?):
                let values = written.members.compactMap { ChangedValue($0, found) }
                if !values.isEmpty { findings.add(run, subject, .changed(values)) }
            case (nil, _?): findings.add(run, subject, .added)
            case (_?, nil): findings.add(run, subject, .gone)
            case (nil, nil): break
            }
        }
    }
}

/// The entries of one run.
private struct WrittenRun {
    private(set) var hasBegun = false
    private var beginnings = ChainedRows(of: .beginnings)
    private var endings = ChainedRows(of: .endings)
    private var sendings = ChainedRows(of: .sendings)
    private var memberships = ChainedRows(of: .memberships)

    init() {
        endings.put(Self.unended)
    }

    var tables: [(ChainedTable, ChainedRows)] {
        [
            (.beginnings, beginnings), (.endings, endings), (.sendings, sendings),
            (.memberships, memberships),
        ]
    }

    mutating func apply(_ entry: ChainEntry) {
        switch entry.kind {
        case .begin:
            hasBegun = true
            beginnings.put(entry.row)
        case .end: endings.put(entry.row)
        case .sending: sendings.put(entry.row)
        case .membership: memberships.put(entry.row)
        case .start, .rename, .pause, .lift, .ask, .settle, .serial, .deed: break
        }
    }

    mutating func apply(_ rename: ChainWalk.Rename) {
        sendings.rename(rename.old, to: rename.new)
    }

    /// A run in progress, or one whose process died unnoticed.
    private static let unended: JSONObject = {
        var row: JSONObject = [
            "status": .integer(Int64(RunStatus.running.rawValue)), "ended": .null, "cause": .null,
        ]
        for name in OutcomeColumns.names { row.append(name, 0) }
        return row
    }()
}

extension ChainedTable {
    fileprivate func subject(_ key: String) -> ChainDifference.Subject {
        switch name {
        case Self.sendings.name: .sending(key)
        case Self.memberships.name: .membership(key)
        case Self.pauses.name: .pause(key)
        case Self.resolutions.name: .resolution(key)
        default: .run
        }
    }
}

extension ChangedValue {
    fileprivate init?(_ written: JSONObject.Member, _ found: JSONObject) {
        guard let value = found[written.key], value != written.value else { return nil }
        self.init(
            name: written.key,
            written: written.value.plainText,
            found: value.plainText
        )
    }
}
