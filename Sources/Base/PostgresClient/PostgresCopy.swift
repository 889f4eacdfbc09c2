internal import CLibPQ

/// Loads rows with `COPY … FROM STDIN (FORMAT binary)`, in a transaction on a separate connection.
///
/// libpq refuses COPY in a pipeline. Without `finish`, nothing is stored. If the server refuses a row, it
/// discards the later ones, and `finish` throws its error. After any error, it cannot be used again. A
/// class, because it owns the connection.
package final class PostgresCopy {
    private let connection: PostgresConnection
    private let statement: String

    /// The signature, no flags and no extension (PostgreSQL documentation, COPY, Binary Format).
    private static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

    /// Executes statements, then begins to copy into the table and columns that `target` names.
    package init(
        to address: PostgresAddress,
        after statements: [String],
        into target: String,
        within patience: PostgresPatience
    ) throws(PostgresError) {
        statement = "COPY \(target) FROM STDIN (FORMAT binary)"
        connection = try PostgresConnection.open(to: address, within: patience)
        for statement in statements { try connection.execute(statement, within: patience) }
        guard unsafe herald_pq_set_nonblocking(connection.unsafeHandle) == 0 else {
            throw .refused(message: connection.message, state: nil)
        }
        try begin(within: patience)
    }

    /// Begins to copy again, into the same table and columns, after `finish`.
    package func begin(within patience: PostgresPatience) throws(PostgresError) {
        try connection.beginCopy(statement, within: patience)
        try send(Self.header, within: patience)
    }

    /// Adds rows; each has the values of all columns.
    package func append(
        _ rows: [[PostgresValue]],
        within patience: PostgresPatience
    ) throws(PostgresError) {
        var bytes: [UInt8] = []
        for row in rows {
            bytes += Int16(row.count).bigEndianBytes
            for value in row {
                let encoded = value.encoded
                bytes += Int32(encoded?.count ?? -1).bigEndianBytes + (encoded ?? [])
            }
        }
        try send(bytes, within: patience)
    }

    /// Ends the copy and executes statements; after one that commits, the rows are durable.
    package func finish(
        with statements: [String],
        within patience: PostgresPatience
    ) throws(PostgresError) {
        try send(Int16(-1).bigEndianBytes, within: patience)
        var isEnded: CInt = 0
        while isEnded == 0 {
            isEnded = unsafe herald_pq_put_copy_end(connection.unsafeHandle, nil)
            try connection.flush(within: patience, until: .sent)
        }
        guard isEnded == 1 else { throw .refused(message: connection.message, state: nil) }
        try connection.finishAnswers(within: patience)
        for statement in statements { try connection.execute(statement, within: patience) }
    }

    private func send(
        _ bytes: [UInt8],
        within patience: PostgresPatience
    ) throws(PostgresError) {
        for start in stride(from: 0, to: bytes.count, by: Self.piece) {
            let piece = Array(bytes[start..<min(start + Self.piece, bytes.count)])
            while true {
                let isQueued = unsafe piece.withUnsafeBytes { buffer in
                    unsafe herald_pq_put_copy_data(
                        connection.unsafeHandle,
                        buffer.assumingMemoryBound(to: CChar.self).baseAddress,
                        CInt(buffer.count)
                    )
                }
                guard isQueued >= 0 else {
                    throw .refused(message: connection.message, state: nil)
                }
                try connection.flush(within: patience, until: .sent)
                if isQueued == 1 { break }
            }
        }
    }

    private static let piece = 1 << 20
}
