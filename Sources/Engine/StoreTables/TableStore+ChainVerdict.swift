import FoundationEssentials
import JSON
package import State

extension TableStore {
    package func verifyHistory() throws(StateStoreError) -> ChainVerdict {
        try read { db in
            var walk = ChainWalk(previous: try origin(db))
            let links = try db.rows("SELECT number, run, content, hash FROM chain ORDER BY number")
            while let row = try links.next() { walk.visit(try ChainLink(row)) }
            let runsBefore = walk.runsBefore ?? 0
            var findings = walk.findings
            try checkSerial(walk, into: &findings, in: db)
            try checkStanding(walk, into: &findings, in: db)
            try checkRuns(after: runsBefore, renames: walk.renames, into: &findings, in: db)
            return ChainVerdict(
                head: ChainHead(count: walk.last, hash: walk.previous.hexadecimal),
                runsBefore: runsBefore,
                findings: findings
            )
        }
    }

    private func checkStanding(
        _ walk: ChainWalk,
        into findings: inout ChainFindings,
        in db: any StateDatabase
    ) throws {
        compare(
            written: walk.pauses,
            found: try ChainedTable.pauses.rows(in: db),
            into: &findings
        )
        let asked = try ChainedTable.resolutions.rows(in: db)
        compare(written: walk.resolutions, found: asked, into: &findings)
    }

    /// Checks that the serial rises with each run, which detects that the last runs are missing.
    private func checkSerial(
        _ walk: ChainWalk,
        into findings: inout ChainFindings,
        in db: any StateDatabase
    ) throws {
        let serial = try db.row("SELECT serial FROM meta")?.decode(Int64.self, atIndex: 0)
        guard let written = walk.serial, serial != written else { return }
        let values = ChangedValue(
            name: "serial",
            written: String(written),
            found: serial.map { String($0) }
        )
        findings.add(run: nil, subject: .serial, finding: .changed([values]))
    }

    private func checkRuns(
        after runsBefore: Int64,
        renames: [ChainWalk.Rename],
        into findings: inout ChainFindings,
        in db: any StateDatabase
    ) throws {
        let gone = try db.rows(
            "SELECT DISTINCT run FROM chain WHERE run > ? AND run NOT IN (SELECT id FROM runs)",
            arguments: [runsBefore]
        )
        while let row = try gone.next() {
            findings.add(run: try row.decode(Int64.self, atIndex: 0), subject: .run, finding: .gone)
        }
        let runs = try db.rows(
            "SELECT id FROM runs WHERE id > ? ORDER BY id",
            arguments: [runsBefore]
        )
        while let row = try runs.next() {
            try check(
                try row.decode(Int64.self, atIndex: 0),
                renames: renames,
                into: &findings,
                in: db
            )
        }
    }

    private func check(
        _ run: Int64,
        renames: [ChainWalk.Rename],
        into findings: inout ChainFindings,
        in db: any StateDatabase
    ) throws {
        var written = WrittenRun()
        var renames = renames[...]
        let entries = try db.rows(
            "SELECT number, content FROM chain WHERE run = ? ORDER BY number",
            arguments: [run]
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
        guard written.hasBegun else {
            return findings.add(run: run, subject: .run, finding: .added)
        }
        for rows in written.tables {
            compare(
                written: rows,
                found: try rows.table.rows(of: run, in: db),
                run: run,
                into: &findings
            )
        }
    }

    private func compare(
        written: ChainedRows,
        found: ChainedRows,
        run: Int64? = nil,
        into findings: inout ChainFindings
    ) {
        for key in Set(written.byKey.keys).union(found.byKey.keys).sorted() {
            let subject = written.table.subject(key)
            switch (written.byKey[key], found.byKey[key]) {
            case (let written?, let found?):
                let values = written.members.compactMap { ChangedValue(written: $0, found: found) }
                if !values.isEmpty {
                    findings.add(run: run, subject: subject, finding: .changed(values))
                }
            case (nil, _?): findings.add(run: run, subject: subject, finding: .added)
            case (_?, nil): findings.add(run: run, subject: subject, finding: .gone)
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

    var tables: [ChainedRows] { [beginnings, endings, sendings, memberships] }

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
        for name in OutcomeColumns.names { row.append(name, value: 0) }
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
    fileprivate init?(written: JSONObject.Member, found: JSONObject) {
        guard let value = found[written.key], value != written.value else { return nil }
        self.init(
            name: written.key,
            written: written.value.plainText,
            found: value.plainText
        )
    }
}
