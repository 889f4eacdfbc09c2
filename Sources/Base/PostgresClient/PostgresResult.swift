internal import CLibPQ
internal import FoundationEssentials

/// The answer to one statement of a pipeline, in the binary format.
///
/// A class, because its deinitializer frees the memory.
@safe package final class PostgresResult {
    private let unsafeResult: OpaquePointer

    @unsafe init(unsafeResult: OpaquePointer) {
        unsafe self.unsafeResult = unsafe unsafeResult
    }

    deinit {
        unsafe herald_pq_clear(unsafeResult)
    }

    package var rowCount: Int { Int(unsafe herald_pq_row_count(unsafeResult)) }

    /// The number of rows that the statement changed.
    package var changes: Int {
        guard let text = unsafe herald_pq_changed_rows(unsafeResult) else { return 0 }
        return Int(unsafe String(cString: text)) ?? 0
    }

    /// The value of a column; nil if its type or its bytes are unexpected.
    ///
    /// Truth values are 0 and 1.
    package func value(row: Int, column: Int) -> PostgresValue? {
        let (row, column) = (CInt(row), CInt(column))
        let rows = unsafe herald_pq_row_count(unsafeResult)
        let columns = unsafe herald_pq_column_count(unsafeResult)
        guard (0..<rows).contains(row), (0..<columns).contains(column) else { return nil }
        guard unsafe herald_pq_is_null(unsafeResult, row, column) == 0 else { return .null }
        guard let start = unsafe herald_pq_value(unsafeResult, row, column) else { return nil }
        let length = Int(unsafe herald_pq_length(unsafeResult, row, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
        typealias TypeID = PostgresValue.TypeID
        switch unsafe herald_pq_column_type(unsafeResult, column) {
        case TypeID.boolean: return unsafe UInt8(bigEndian: bytes).map { .integer(Int64($0)) }
        case TypeID.integer: return unsafe Int64(bigEndian: bytes).map { .integer($0) }
        case TypeID.mediumInteger:
            return unsafe Int32(bigEndian: bytes).map { .integer(Int64($0)) }
        case TypeID.smallInteger:
            return unsafe Int16(bigEndian: bytes).map { .integer(Int64($0)) }
        case TypeID.real:
            return unsafe UInt64(bigEndian: bytes).map { .real(Double(bitPattern: $0)) }
        case TypeID.text: return unsafe .text(String(decoding: bytes, as: UTF8.self))
        case TypeID.bytes: return unsafe .bytes(Data(bytes))
        default: return nil
        }
    }

    /// The bytes of the largest row, 0 if there is none.
    package var largestRow: Int {
        let columns = unsafe herald_pq_column_count(unsafeResult)
        return (0..<CInt(rowCount)).map { row in
            (0..<columns).reduce(0) { size, column in
                size + Int(unsafe herald_pq_length(unsafeResult, row, column))
            }
        }.max() ?? 0
    }

    enum Status {
        case rows
        /// The end of the answers to a pipeline.
        case synced
        /// An earlier statement of the pipeline failed.
        case skipped
        case failed(PostgresError)
    }

    var status: Status {
        switch unsafe herald_pq_result_status(unsafeResult) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return .rows
        case PGRES_PIPELINE_SYNC: return .synced
        case PGRES_PIPELINE_ABORTED: return .skipped
        default:
            let message = unsafe herald_pq_result_message(unsafeResult)
                .map { unsafe String(cString: $0) }
            let state = unsafe herald_pq_result_state(unsafeResult)
                .map { unsafe String(cString: $0) }
            return .failed(
                .refused(message: message ?? "the connection to the server was lost", state: state)
            )
        }
    }
}
