import CampaignModel
import FoundationEssentials
import GRDB
import State
import StoreTables

/// The outcomes of a unit's requests in chunks, one byte per outcome.
///
/// One chunk is open at a time, because adjacent requests are answered together. A chunk that is
/// not stored is all intended.
struct OutcomeChunks {
    private let unit: UnitID
    private let count: Int
    private let size: Int
    /// The requests of the open chunk; empty if none is open.
    private var open = 0..<0
    private var bytes: [UInt8] = []

    init(of unit: StoredUnit) {
        self.unit = unit.id
        count = unit.count
        size = unit.block
    }

    /// Replaces a request's outcome and returns the previous one; nil if that is invalid.
    ///
    /// `save` stores it.
    mutating func replace(
        _ index: Int,
        with outcome: StoredOutcome,
        in db: Database
    ) throws -> Outcome? {
        if !open.contains(index) {
            try save(db)
            guard let loaded = try load(index / size, in: db) else { return nil }
            let start = index / size * size
            (open, bytes) = (start..<start + loaded.count, loaded)
        }
        let before = StoredOutcome(byte: bytes[index - open.lowerBound])
        bytes[index - open.lowerBound] = outcome.byte
        return before?.outcome
    }

    /// Stores and closes the open chunk.
    mutating func save(_ db: Database) throws {
        guard !open.isEmpty else { return }
        try db.run(
            """
            INSERT INTO outcome_chunks (unit, chunk, outcomes, checksum) VALUES (?, ?, ?, ?)
            ON CONFLICT (unit, chunk)
            DO UPDATE SET outcomes = excluded.outcomes, checksum = excluded.checksum
            """,
            arguments: [unit.number, open.lowerBound / size, Data(bytes), Checksum.of(bytes)]
        )
        open = 0..<0
    }

    private func load(_ number: Int, in db: Database) throws -> [UInt8]? {
        let row = try db.row(
            "SELECT outcomes, checksum FROM outcome_chunks WHERE unit = ? AND chunk = ?",
            arguments: [unit.number, number]
        )
        let length = length(of: number)
        guard let row else { return Array(repeating: Outcome.intended.rawValue, count: length) }
        let bytes = try row.decode(Data.self, atIndex: 0)
        let sum = try row.decode(Int64.self, atIndex: 1)
        let isWhole = bytes.count == length && sum == Checksum.of(bytes)
        return isWhole ? Array(bytes) : nil
    }

    private func length(of number: Int) -> Int {
        min(size, count - number * size)
    }
}

extension OutcomeChunks {
    /// Visits the outcomes of a range in order until the body returns false; returns false if a
    /// byte is not an outcome.
    func walk(
        _ range: Range<Int>,
        in db: Database,
        body: (Int, StoredOutcome) -> Bool
    ) throws -> Bool {
        guard !range.isEmpty else { return true }
        let numbers = range.lowerBound / size...(range.upperBound - 1) / size
        for number in numbers {
            guard let bytes = try load(number, in: db) else { return false }
            let start = number * size
            for index in range.clamped(to: start..<start + bytes.count) {
                guard let outcome = StoredOutcome(byte: bytes[index - start]) else { return false }
                if !body(index, outcome) { return true }
            }
        }
        return true
    }
}
