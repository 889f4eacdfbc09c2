package import CampaignModel
import FoundationEssentials
package import State

extension TableStore {
    /// Erases registrations from everything that contains them or their fingerprints; the caller
    /// holds the write lock, and no occurrence is in progress.
    ///
    /// In stored lists their positions stay, without a registration. Everything happens in one
    /// transaction.
    /// `fingerprint`: computes a registration's fingerprint with the state's key.
    package func forget(
        _ people: ErasureRequest,
        in run: RunID,
        fingerprint: @Sendable (Registration) -> Fingerprint
    ) throws(StateStoreError) -> ForgetReport {
        var report = ForgetReport()
        try completeMerges()
        try writeErasing { db in
            report = ForgetReport()
            try forgetMembers(people, into: &report, in: db)
            try forgetDead(people, into: &report, in: db)
            try forgetUpstream(people, into: &report, in: db)
            try forgetInGroups(people, into: &report, in: db)
            let erasure = ListErasure(people: people, run: run)
            try forgetInLists(erasure, by: fingerprint, into: &report, in: db)
            try forgetContacts(people, into: &report, in: db)
            for (run, sending) in try sendingsNaming(people, into: &report, in: db) {
                try record(sending, in: run, on: db)
            }
        }
        return report
    }

    private func forgetDead(
        _ people: ErasureRequest,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws {
        for range in people.ranges {
            try db.run(
                "DELETE FROM dead WHERE fingerprint BETWEEN ? AND ?",
                arguments: [range.first, range.last]
            )
            let erased = try db.changes()
            guard erased > 0 else { continue }
            report.dead += erased
            report.found.insert(range.high)
        }
    }

    private func forgetUpstream(
        _ people: ErasureRequest,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws {
        let tables = ["opt_outs", "upstream_exclusions", "upstream_members", "upstream_answers"]
        for (table, range) in tables.flatMap({ table in people.ranges.map { (table, $0) } }) {
            try db.run(
                "DELETE FROM \(table) WHERE fingerprint BETWEEN ? AND ?",
                arguments: [range.first, range.last]
            )
            let erased = try db.changes()
            guard erased > 0 else { continue }
            report.upstream += erased
            report.found.insert(range.high)
        }
    }

    /// FCM may still have them, so the groups are no longer known completely.
    private func forgetInGroups(
        _ people: ErasureRequest,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws {
        for range in people.ranges {
            try db.run(
                """
                UPDATE device_groups SET whole = 0 WHERE name IN (
                    SELECT name FROM device_group_members WHERE fingerprint BETWEEN ? AND ?)
                """,
                arguments: [range.first, range.last]
            )
            try db.run(
                "DELETE FROM device_group_members WHERE fingerprint BETWEEN ? AND ?",
                arguments: [range.first, range.last]
            )
            let erased = try db.changes()
            guard erased > 0 else { continue }
            report.groups += erased
            report.found.insert(range.high)
        }
    }

    /// Returns the problems of runs, without those that name these registrations.
    private func sendingsNaming(
        _ people: ErasureRequest,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws -> [(RunID, RunOccurrence)] {
        let names = Set(people.ranges.map { Fingerprint(high: $0.high, low: 0).description })
        let runs = try db.numbers(
            "SELECT DISTINCT run FROM run_sendings WHERE problems <> '[]'"
        )
        var changed: [(RunID, RunOccurrence)] = []
        for run in runs.map(RunID.init(number:)) {
            for sending in try sendings(of: run, in: db) {
                let kept = sending.problems.filter { !names.contains($0.registration ?? "") }
                guard kept.count < sending.problems.count else { continue }
                report.problems += sending.problems.count - kept.count
                changed.append(
                    (
                        run,
                        RunOccurrence(
                            occurrence: sending.occurrence,
                            tally: sending.tally,
                            repeated: sending.repeated,
                            capped: sending.capped,
                            problems: kept
                        )
                    )
                )
            }
        }
        return changed
    }
}

// MARK: - Stored lists

extension TableStore {
    private func forgetInLists(
        _ erasure: ListErasure,
        by fingerprint: (Registration) -> Fingerprint,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws {
        for text in try db.texts("SELECT digest FROM lists") {
            let list = ListID(text: text)
            var places: [Int] = []
            try forEachStretch(of: list, in: db) { first, rows in
                for (place, row) in rows.enumerated() {
                    let found = fingerprint(row.registration)
                    guard erasure.people.contains(found) else { continue }
                    places.append(first + place)
                    report.found.insert(found.high)
                }
            }
            guard !places.isEmpty else { continue }
            report.places += places.count
            let erased = ErasedPlaces(
                list: list,
                renamed: list.without(in: erasure.run),
                places: places
            )
            try store(erased, in: db)
            try giveUp(erased, into: &report, in: db)
        }
    }

    private func forEachStretch(
        of list: ListID,
        in db: any StateDatabase,
        body: (Int, [RegistrationRow]) throws -> Void
    ) throws {
        var first = 0
        while true {
            let stretch = try rows(
                of: list,
                from: first,
                count: PackedRows.maximumCount,
                in: db
            )
            guard !stretch.isEmpty else { return }
            try body(first, stretch)
            first += stretch.count
        }
    }

    /// Stores a list under another name, because it no longer matches its name; a later occurrence
    /// stores the original list again.
    private func store(_ erased: ErasedPlaces, in db: any StateDatabase) throws {
        try db.run(
            "INSERT INTO lists (digest, kind, columns, count, pending, name) "
                + "SELECT ?, kind, columns, count, pending, ? FROM lists WHERE digest = ?",
            arguments: [erased.renamed.text, StoredList.randomName(), erased.list.text]
        )
        let renamed = try find(erased.renamed, in: db)
        guard let placeholder = ListShape.erased else {
            throw failed("the placeholder registration is invalid")
        }
        let gone = Set(erased.places)
        let blank = RegistrationRow(placeholder, values: renamed.shape.columns.map { _ in "" })
        try forEachStretch(of: erased.list, in: db) { first, rows in
            let kept = rows.enumerated().map { place, row in
                gone.contains(first + place) ? blank : row
            }
            try storeChunk(kept, of: renamed, first: first, in: db)
        }
        try db.run("DELETE FROM lists WHERE digest = ?", arguments: [erased.list.text])
    }

    private func giveUp(
        _ erased: ErasedPlaces,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws {
        let rows = try db.allRows(
            """
            SELECT campaign, slot, revision, unit, released
            FROM occurrences JOIN units ON units.id = unit WHERE kind = 2 AND target = ?
            """,
            arguments: [erased.list.text]
        )
        for row in rows {
            let occurrence = try occurrenceID(row, from: 0)
            let unit = try stored(UnitID(number: try row.decode(Int64.self, atIndex: 3)), in: db)
            let given = try endings(of: erased.places, in: unit, on: db)
            let end = (given.last?.index ?? -1) + 1
            let released = try row.decode(Int.self, atIndex: 4)
            let change =
                try replace(given, of: unit, in: db)
                + passOver(released..<max(released, end), of: unit, in: db)
            try add(change, released: end, to: unit.id, in: db)
            let suppressed = given.count { $0.outcome == .suppressed }
            if suppressed > 0 { report.suppressed[occurrence] = suppressed }
            if given.count > suppressed { report.dropped[occurrence] = given.count - suppressed }
        }
        try db.run(
            "UPDATE units SET target = ? WHERE kind = 2 AND target = ?",
            arguments: [erased.renamed.text, erased.list.text]
        )
        try db.run(
            "UPDATE definitions SET list = ? WHERE list = ?",
            arguments: [erased.renamed.text, erased.list.text]
        )
        try db.run(
            "UPDATE people SET list = ? WHERE list = ?",
            arguments: [erased.renamed.text, erased.list.text]
        )
    }

    /// If the mark rises above the erased requests, records the intended requests that it passes as
    /// returned.
    ///
    /// Requests with an outcome are below the mark. Those below it without an outcome are therefore
    /// all that may have been sent.
    private func passOver(
        _ requests: Range<Int>,
        of unit: StoredUnit,
        in db: any StateDatabase
    ) throws -> OutcomeTally {
        var change = OutcomeTally()
        for first in stride(from: requests.lowerBound, to: requests.upperBound, by: unit.block) {
            let range = first..<min(first + unit.block, requests.upperBound)
            let left = zip(range, try outcomes(of: unit, in: range, on: db))
                .filter { $0.1 == .intended }
                .map { RequestOutcome(index: $0.0, outcome: .returned) }
            change = change + (try replace(left, of: unit, in: db))
        }
        return change
    }

    /// Returns the new outcomes of the requests without a final one.
    ///
    /// `requests`: in ascending order. The outcomes of a block are read together.
    private func endings(
        of requests: [Int],
        in unit: StoredUnit,
        on db: any StateDatabase
    ) throws -> [RequestOutcome] {
        var endings: [RequestOutcome] = []
        var rest = requests[...]
        while let first = rest.first {
            let part = rest.prefix { $0 / unit.block == first / unit.block }
            rest = rest.dropFirst(part.count)
            let range = first..<(part.last ?? first) + 1
            let outcomes = try outcomes(of: unit, in: range, on: db)
            endings += part.compactMap { request in
                outcomes[request - first].ending.map { end in
                    RequestOutcome(
                        index: request,
                        outcome: end,
                        detail: OutcomeDetail.forgotten
                    )
                }
            }
        }
        return endings
    }
}

extension Outcome {
    /// The outcome of a request whose registration is erased; nil if it has a final one.
    fileprivate var ending: Outcome? {
        switch self {
        case .intended, .returned: .suppressed
        case .unknown: .cancelled
        case .accepted, .rejected, .expired, .suppressed, .cancelled: nil
        }
    }
}

/// The registrations to erase from the stored lists, in a run.
private struct ListErasure {
    let people: ErasureRequest
    let run: RunID
}

/// The positions of erased registrations in a list, and the list's name without them.
private struct ErasedPlaces {
    let list: ListID
    let renamed: ListID
    let places: [Int]
}

extension ListID {
    private static let mark = "-without-"

    /// Returns the name of the remaining list.
    fileprivate func without(in run: RunID) -> ListID {
        let base = text.firstRange(of: Self.mark).map { String(text[..<$0.lowerBound]) } ?? text
        return ListID(text: "\(base)\(Self.mark)\(run.number)")
    }
}

extension ErasureRequest {
    /// The matching fingerprints, as stored in the state.
    fileprivate var ranges: [(high: UInt64, first: Data, last: Data)] {
        fingerprints.map { ($0.high, $0.blob, $0.blob) }
            + short.map { high in
                (
                    high, Fingerprint(high: high, low: .min).blob,
                    Fingerprint(high: high, low: .max).blob
                )
            }
    }
}
