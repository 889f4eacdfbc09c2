import CampaignModel
import CampaignState
import FoundationEssentials
import GRDB

/// The outcomes of a unit's requests, a byte each, in chunks.
///
/// A chunk is read when it is first touched; one that is not stored is all intended.
struct OutcomeChunks {
    /// How many outcomes a chunk of a new unit has: a row of the table then fits into a page of
    /// 4,096 bytes.
    static let size = 4_000

    private let unit: UnitID
    private let count: Int
    private let size: Int
    private var chunks: [Int: Data] = [:]

    init(of unit: StoredUnit) {
        self.unit = unit.id
        count = unit.count
        size = unit.block
    }

    /// Replaces a request's outcome and gives the one before; nil where that is none.
    mutating func replace(
        _ index: Int,
        with outcome: Outcome,
        _ db: Database
    ) throws -> Outcome? {
        let number = index / size
        if chunks[number] == nil { chunks[number] = try load(number, db) }
        guard let before = chunks[number]?[index % size] else { return nil }
        chunks[number]?[index % size] = outcome.rawValue
        return Outcome(rawValue: before)
    }

    func save(_ db: Database) throws {
        for (number, bytes) in chunks {
            try db.run(
                """
                INSERT INTO outcome_chunks (unit, chunk, outcomes) VALUES (?, ?, ?)
                ON CONFLICT (unit, chunk) DO UPDATE SET outcomes = excluded.outcomes
                """,
                [unit.number, number, bytes]
            )
        }
    }

    /// A chunk's bytes, always from the start of their own indices.
    private func load(_ number: Int, _ db: Database) throws -> Data? {
        let row = try db.row(
            "SELECT outcomes FROM outcome_chunks WHERE unit = ? AND chunk = ?",
            [unit.number, number]
        )
        let length = length(of: number)
        guard let row else { return Data(repeating: Outcome.intended.rawValue, count: length) }
        let bytes = try row.decode(Data.self, atIndex: 0)
        return bytes.count == length ? bytes : nil
    }

    private func length(of number: Int) -> Int {
        min(size, count - number * size)
    }
}

extension OutcomeChunks {
    /// Walks over the outcomes of a range in order, until the body says that it has enough;
    /// false where a byte was no outcome.
    func walk(
        _ range: Range<Int>,
        _ db: Database,
        _ body: (Int, Outcome) -> Bool
    ) throws -> Bool {
        guard !range.isEmpty else { return true }
        let numbers = range.lowerBound / size...(range.upperBound - 1) / size
        for number in numbers {
            guard let bytes = try load(number, db) else { return false }
            let start = number * size
            for index in range.clamped(to: start..<start + bytes.count) {
                guard let outcome = Outcome(rawValue: bytes[index - start]) else { return false }
                if !body(index, outcome) { return true }
            }
        }
        return true
    }
}
