import CampaignModel
import FoundationEssentials
import PostgresClient
package import State
import StoreTables

/// A record that waits for the next commit.
struct PendingRecord {
    let outcomes: [RequestOutcome]
    let released: Int?
    let unit: UnitID
    let caller: CheckedContinuation<Result<Void, StateStoreError>, Never>
}

// A record is one statement that reads nothing: the outcomes before are in memory. It changes the row
// of the unit only if its number of commits is the one in memory, and everything else follows from
// that row. Then it is sent with its fence and its commit in one write.
extension PostgresStore {
    package func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID
    ) async throws(StateStoreError) {
        let result = await withCheckedContinuation { caller in
            pendingRecords.append(
                PendingRecord(outcomes: outcomes, released: released, unit: unit, caller: caller)
            )
            // Calls that are already waiting for the store run before the commit.
            if pendingRecords.count == 1 { Task { commitRecords() } }
        }
        try result.get()
    }

    private func commitRecords() {
        var left = pendingRecords
        pendingRecords = []
        do throws(StateStoreError) {
            if left.count > 1 { try commit(&left) }
        } catch {
            // Before its commit, the error may be of one record only.
            guard error.isBeforeCommit else {
                for record in left { record.caller.resume(returning: .failure(error)) }
                return
            }
        }
        for record in left {
            var single = [record]
            do throws(StateStoreError) {
                try commit(&single)
            } catch {
                record.caller.resume(returning: .failure(error))
            }
        }
    }

    /// Commits records, answers their callers, and removes them.
    ///
    /// - Throws: Why the ones that are left are not committed, unless the answer is lost.
    private func commit(_ records: inout [PendingRecord]) throws(StateStoreError) {
        var left = records
        defer { records = left }
        try mapErrors {
            var attempt = 1
            while true {
                do {
                    let stale = try attemptCommit(left)
                    for (index, record) in left.enumerated() where !stale.contains(index) {
                        record.caller.resume(returning: .success(()))
                    }
                    left = stale.sorted().map { left[$0] }
                    if left.isEmpty { return }
                } catch let error as NotCommitted {
                    if attempt >= Self.mostAttempts { throw error.cause }
                }
                // Another process or call changed a unit: its outcomes are read again.
                for record in left { units[record.unit] = nil }
                if attempt >= Self.mostAttempts {
                    throw failed("another process changes the outcomes of the same unit")
                }
                attempt += 1
            }
        }
    }

    /// Returns the positions of the records that changed nothing, because the outcomes in memory are not
    /// those in the database; the others are committed.
    private func attemptCommit(_ records: [PendingRecord]) throws -> Set<Int> {
        let worker = try registered()
        for record in records { try know(record.unit) }
        var changed: [UnitID: UnitOutcomes] = [:]
        var statements = PostgresBeginning.appending.statements(schema: place.schema)
        let first = statements.count
        for record in records {
            var unit = try changed[record.unit] ?? outcomes(of: record.unit)
            statements.append(try statement(for: record, in: &unit))
            changed[record.unit] = unit
        }
        // After any error, what is in memory may be wrong.
        for unit in changed.keys { units[unit] = nil }
        do {
            let results = try commit(statements, on: connected(), by: worker)
            var stale: Set<Int> = []
            for (index, record) in records.enumerated() {
                let result = results[first + index]
                guard try PostgresRow(result, 0).decode(Int.self, atIndex: 0) != 1 else { continue }
                stale.insert(index)
                changed[record.unit] = nil
            }
            units.merge(changed) { _, new in new }
            note(records, except: stale)
            return stale
        } catch is LostAnswers {
            // The fence held, so no other process changed the units; other changes of this one clear
            // what is in memory.
            note(records)
            return []
        }
    }

    /// Remembers records that are committed.
    private func note(_ records: [PendingRecord], except stale: Set<Int> = []) {
        for (index, record) in records.enumerated() where !stale.contains(index) {
            sent.record(record.outcomes, released: record.released, of: record.unit)
        }
    }

    /// Remembers to which occurrence a unit belongs that this process did not open.
    private func know(_ unit: UnitID) throws {
        guard !sent.contains(unit) else { return }
        let found = try read { db in try occurrence(with: unit, in: db) }
        guard let record = found?.unit, let opened = found?.opened else { return }
        sent.open(opened, as: unit, mark: record.released)
    }

    private func outcomes(of unit: UnitID) throws -> UnitOutcomes {
        if let known = units[unit] { return known }
        return try read { db in
            let stored = try stored(unit, in: db)
            guard !stored.isCompacted else {
                throw failed("the outcomes of unit \(unit.number) were compacted")
            }
            guard let session = db as? PostgresSession,
                let bytes = try session.outcomes(of: stored, in: 0..<stored.count)
            else { throw unreadable(stored) }
            return UnitOutcomes(of: stored, bytes: bytes)
        }
    }

    private func statement(
        for record: PendingRecord,
        in unit: inout UnitOutcomes
    ) throws -> PostgresStatement {
        let stored = unit.unit
        let indexes = 0..<stored.count
        guard (0...stored.count).contains(record.released ?? 0),
            record.outcomes.allSatisfy({ indexes.contains($0.index) })
        else { throw beyond(stored) }
        guard let change = unit.record(record.outcomes) else { throw unreadable(stored) }
        let details = change.details.compactMapValues(\.self).sorted { $0.key < $1.key }
        let removed = change.details.filter { $0.value == nil }.keys.sorted()
        let marks = [
            stored.id.number, Int64(stored.commits), Int64(record.released ?? 0),
            Int64(change.capped),
        ]
        var values = marks.map(PostgresValue.integer)
        if let (bytes, range) = change.block {
            values += [
                .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound)),
                .integer(Checksum.of(bytes)), .bytes(bytes),
            ]
        } else {
            values += [.null, .null, .null, .null]
        }
        values.append(.integers(details.map { Int64($0.key) }))
        values.append(.texts(details.map(\.value)))
        values.append(.integers(removed.map { Int64($0) }))
        if let (prefix, entries) = change.ids {
            values += [.text(prefix), .bytes(entries)]
        } else {
            values += [.null, .null]
        }
        values += change.tally.values.map { .integer(Int64($0)) }
        return PostgresStatement(Self.recording, values)
    }

    /// Changes the row of a unit, and stores what follows from the changed row.
    ///
    /// The high-water mark never goes down.
    private static var recording: String {
        let tally = OutcomeTally.columns.split(separator: ", ").enumerated()
            .map { "\($1) = \($1) + $\($0 + 14)" }.joined(separator: ", ")
        return """
            WITH marked AS (
                UPDATE units SET commits = commits + 1, released = greatest(released, $3),
                    capped = capped + $4, ids = ids + coalesce(length($13::bytea), 0), \(tally)
                WHERE id = $1 AND commits = $2 RETURNING id),
            logged AS (
                INSERT INTO outcome_log (unit, first, past, checksum, outcomes)
                SELECT id, $5::bigint, $6::bigint, $7::bigint, $8::bytea FROM marked
                WHERE $8::bytea IS NOT NULL),
            described AS (
                INSERT INTO outcome_details (unit, request, detail)
                SELECT id, given.request, given.detail
                FROM marked, unnest($9::bigint[], $10::text[]) AS given (request, detail)
                ON CONFLICT (unit, request) DO UPDATE SET detail = excluded.detail),
            cleared AS (
                DELETE FROM outcome_details USING marked
                WHERE unit = marked.id AND request = ANY ($11::bigint[])),
            identified AS (
                INSERT INTO message_ids (unit, prefix, entries)
                SELECT id, $12::text, $13::bytea FROM marked WHERE $13::bytea IS NOT NULL)
            SELECT count(*) FROM marked
            """
    }
}

extension OccurrenceRecord {
    /// The values with which it was opened; nil before.
    fileprivate var opened: OpenedOccurrence? {
        guard let unit, let message else { return nil }
        return OpenedOccurrence(
            id: id,
            due: due,
            message: message,
            target: unit.target,
            count: unit.count,
            deduplicationKey: deduplicationKey,
            keepsIDs: unit.keepsIDs,
            objective: objective
        )
    }
}

extension StateStoreError {
    /// Whether the error is about what was to be recorded, so that nothing was sent.
    fileprivate var isBeforeCommit: Bool {
        if case .failed = self { true } else { false }
    }
}

// MARK: - Message IDs

extension PostgresStore {
    package func messageIDs(
        of unit: UnitID,
        from first: Int,
        count: Int
    ) throws(StateStoreError) -> [(request: Int, id: String)] {
        let (end, isBeyond) = first.addingReportingOverflow(max(0, count))
        let range = first..<(isBeyond ? .max : max(first, end))
        let found = try read { db -> [Int: String] in
            let unit = try stored(unit, in: db)
            guard unit.ids != nil else { return [:] }
            var ids: [Int: String] = [:]
            // A resent request has the ID of its last message.
            try Self.visitMessageIDs(of: unit, on: db, path: path) { entries in
                for entry in entries where range.contains(entry.request) {
                    ids[entry.request] = entry.id
                }
            }
            return ids
        }
        return found.sorted { $0.key < $1.key }.map { (request: $0.key, id: $0.value) }
    }

    /// Visits the IDs of each record, in the order of the records.
    static func visitMessageIDs(
        of unit: StoredUnit,
        on db: any StateDatabase,
        path: String,
        _ visit: ([MessageIDBlock.Entry]) throws -> Void
    ) throws {
        let rows = try db.rows(
            "SELECT prefix, entries FROM message_ids WHERE unit = ? ORDER BY number",
            arguments: [unit.id.number]
        )
        while let row = try rows.next() {
            let prefix = try row.decode(String.self, atIndex: 0)
            let bytes = Array(try row.decode(Data.self, atIndex: 1))
            let body = bytes.dropFirst(MessageIDBlock.headerSize)
            guard let header = MessageIDBlock.header(bytes[...]),
                header.length == body.count, MessageIDBlock.checksum(body) == header.checksum,
                let entries = MessageIDBlock.unpack(body, prefix: prefix)
            else { throw StateStoreError.damagedIDs(path: path, reason: "it is incomplete") }
            try visit(entries)
        }
    }
}
