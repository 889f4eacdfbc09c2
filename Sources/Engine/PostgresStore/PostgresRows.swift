import FoundationEssentials
import PostgresClient
import StoreTables

/// A row of a result, which stays valid.
struct PostgresRow: StoredRow {
    private let result: PostgresResult
    private let row: Int

    init(_ result: PostgresResult, _ row: Int) {
        self.result = result
        self.row = row
    }

    private func stored(_ column: Int) throws -> PostgresValue {
        guard let value = result.value(row: row, column: column) else { throw UnexpectedValue() }
        return value
    }

    func integer(at column: Int) throws -> Int64? {
        switch try stored(column) {
        case .null: nil
        case .integer(let number): number
        default: throw UnexpectedValue()
        }
    }

    func real(at column: Int) throws -> Double? {
        switch try stored(column) {
        case .null: nil
        case .real(let number): number
        default: throw UnexpectedValue()
        }
    }

    func text(at column: Int) throws -> String? {
        switch try stored(column) {
        case .null: nil
        case .text(let text): text
        default: throw UnexpectedValue()
        }
    }

    func blob(at column: Int) throws -> Data? {
        switch try stored(column) {
        case .null: nil
        case .bytes(let data): data
        default: throw UnexpectedValue()
        }
    }

    func value(at column: Int) throws -> StatementValue {
        switch try stored(column) {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        case .bytes(let data): .blob(data)
        case .integers, .texts: throw UnexpectedValue()
        }
    }
}

/// The rows of a cursor, fetched in batches: a result may be larger than the memory.
///
/// A class, because it counts what was read.
final class PostgresRows: StoredRows {
    private let name: String
    private let session: PostgresSession
    private var batch: PostgresResult
    /// The row of the batch that is returned next.
    private var place = 0
    private var size = first
    private var isClosed = false

    /// Rows of the first batch.
    private static let first = 64
    private static let most = 16_384
    /// Bytes of a batch, about.
    private static let batchSize = 1 << 22

    /// The cursor's declaration waits in the session.
    init(_ name: String, in session: PostgresSession) throws {
        self.name = name
        self.session = session
        batch = try session.ask(PostgresStatement("FETCH FORWARD \(Self.first) FROM \(name)"))
    }

    func next() throws -> (any StoredRow)? {
        if place == batch.rowCount, batch.rowCount == size {
            size = min(Self.most, max(16, Self.batchSize / max(1, batch.largestRow)))
            batch = try session.ask(PostgresStatement("FETCH FORWARD \(size) FROM \(name)"))
            place = 0
        }
        guard place < batch.rowCount else {
            if !isClosed { session.enqueue(PostgresStatement("CLOSE \(name)")) }
            isClosed = true
            return nil
        }
        defer { place += 1 }
        return PostgresRow(batch, place)
    }
}
