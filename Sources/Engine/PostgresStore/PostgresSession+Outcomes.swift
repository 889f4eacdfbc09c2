import CampaignModel
import FoundationEssentials
import PostgresClient
import State
import StoreTables

// The outcomes of a unit are those of `outcome_final`, replaced by those of `outcome_log` in the order
// of its rows. Requests that neither has are intended.
extension PostgresSession {
    /// Returns the outcomes of a range, one byte each; nil if a part is damaged.
    func outcomes(of unit: StoredUnit, in range: Range<Int>) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: Outcome.intended.rawValue, count: range.count)
        guard !range.isEmpty else { return bytes }
        let chunks = try rows(
            """
            SELECT chunk, outcomes, checksum FROM outcome_final
            WHERE unit = ? AND chunk BETWEEN ? AND ?
            """,
            arguments: [
                unit.id.number, range.lowerBound / unit.block,
                (range.upperBound - 1) / unit.block,
            ]
        )
        while let row = try chunks.next() {
            let start = try row.decode(Int.self, atIndex: 0) * unit.block
            let content = try row.decode(Data.self, atIndex: 1)
            let sum = try row.decode(Int64.self, atIndex: 2)
            guard content.count == min(unit.block, unit.count - start),
                sum == Checksum.of(content)
            else { return nil }
            for (index, byte) in zip(start..<start + content.count, content)
            where range.contains(index) {
                bytes[index - range.lowerBound] = byte
            }
        }
        let log = try rows(
            """
            SELECT outcomes, checksum, first FROM outcome_log
            WHERE unit = ? AND past > ? AND first < ? ORDER BY number
            """,
            arguments: [unit.id.number, range.lowerBound, range.upperBound]
        )
        while let row = try log.next() {
            let first = try row.decode(Int.self, atIndex: 2)
            let block = try row.decode(Data.self, atIndex: 0)
            guard row.isWhole, OutcomeBlock.apply(block, from: first, to: &bytes, of: range)
            else { return nil }
        }
        return bytes.allSatisfy { StoredOutcome(byte: $0) != nil } ? bytes : nil
    }

    func replaceOutcomes(
        _ outcomes: [RequestOutcome],
        of unit: StoredUnit
    ) throws -> [Outcome]? {
        guard let first = outcomes.map(\.index).min(), let last = outcomes.map(\.index).max() else {
            return []
        }
        let range = first..<last + 1
        guard var bytes = try self.outcomes(of: unit, in: range) else { return nil }
        var replaced: [Outcome] = []
        var changed: [Int: StoredOutcome] = [:]
        for new in outcomes {
            guard let before = StoredOutcome(byte: bytes[new.index - first]) else { return nil }
            let stored = StoredOutcome(new)
            replaced.append(before.outcome)
            bytes[new.index - first] = stored.byte
            changed[new.index] = stored
        }
        if let block = OutcomeBlock.pack(changed) {
            try run(
                """
                INSERT INTO outcome_log (unit, first, past, checksum, outcomes)
                VALUES (?, ?, ?, ?, ?)
                """,
                arguments: [
                    unit.id.number, block.range.lowerBound, block.range.upperBound,
                    Checksum.of(block.bytes), block.bytes,
                ]
            )
        }
        return replaced
    }

    func walkOutcomes(
        of unit: StoredUnit,
        over range: Range<Int>,
        body: (Int, StoredOutcome) -> Bool
    ) throws -> Bool {
        guard let bytes = try outcomes(of: unit, in: range) else { return false }
        for (index, byte) in zip(range, bytes) {
            guard let outcome = StoredOutcome(byte: byte) else { return false }
            if !body(index, outcome) { return true }
        }
        return true
    }

    func insertOutcomes(_ bytes: [UInt8], of unit: StoredUnit, chunk: Int) throws {
        try run(
            "INSERT INTO outcome_final (unit, chunk, outcomes, checksum) VALUES (?, ?, ?, ?)",
            arguments: [unit.id.number, chunk, Data(bytes), Checksum.of(bytes)]
        )
    }

    /// Merges the log of an occurrence that ended.
    func settleOutcomes(of occurrence: OccurrenceID) throws {
        let row = try row(
            """
            SELECT \(StoredUnit.columns)
            FROM occurrences JOIN units ON units.id = unit
            WHERE campaign = ? AND slot = ? AND revision = ?
            """,
            arguments: occurrence.arguments
        )
        guard let row else { return }
        let unit = try StoredUnit(row, from: 0)
        guard !unit.isCompacted else { return }
        guard let bytes = try outcomes(of: unit, in: 0..<unit.count) else {
            // The damage is reported where the outcomes are needed.
            return
        }
        for start in stride(from: 0, to: unit.count, by: unit.block) {
            let chunk = Data(bytes[start..<min(start + unit.block, unit.count)])
            guard chunk.contains(where: { $0 != Outcome.intended.rawValue }) else { continue }
            try run(
                """
                INSERT INTO outcome_final (unit, chunk, outcomes, checksum) VALUES (?, ?, ?, ?)
                ON CONFLICT (unit, chunk)
                DO UPDATE SET outcomes = excluded.outcomes, checksum = excluded.checksum
                """,
                arguments: [unit.id.number, start / unit.block, chunk, Checksum.of(chunk)]
            )
        }
        try run("DELETE FROM outcome_log WHERE unit = ?", arguments: [unit.id.number])
    }

    func dropOutcomes(of unit: UnitID) throws {
        for table in ["outcome_log", "outcome_final", "message_ids", "fleet_doubled"] {
            try run("DELETE FROM \(table) WHERE unit = ?", arguments: [unit.number])
        }
    }
}
