internal import CLibPQ

/// One row of a result, or a result without rows; freed at the end.
@safe package struct PostgresRow: ~Copyable {
    private let unsafeResult: OpaquePointer

    @unsafe init(unsafeResult: OpaquePointer) {
        unsafe self.unsafeResult = unsafe unsafeResult
    }

    deinit {
        unsafe herald_pq_clear(unsafeResult)
    }

    /// Whether there is a row.
    package var isPresent: Bool { unsafe herald_pq_row_count(unsafeResult) > 0 }

    /// The names of the columns in order.
    package var columns: [String] {
        (0..<columnCount).map { column in
            unsafe herald_pq_column_name(unsafeResult, column).map { unsafe String(cString: $0) }
                ?? ""
        }
    }

    package var columnCount: CInt { unsafe herald_pq_column_count(unsafeResult) }

    /// The value as text in UTF-8; nil for NULL.
    package func value(of column: CInt) -> [UInt8]? {
        guard unsafe herald_pq_is_null(unsafeResult, 0, column) == 0,
            let text = unsafe herald_pq_value(unsafeResult, 0, column)
        else { return nil }
        let length = Int(unsafe herald_pq_length(unsafeResult, 0, column))
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
    }

    /// Why the statement failed; nil if it did not.
    var error: PostgresError? {
        switch unsafe herald_pq_result_status(unsafeResult) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_COPY_IN: return nil
        default:
            let message = unsafe herald_pq_result_message(unsafeResult)
                .map { unsafe String(cString: $0) }
            let state = unsafe herald_pq_result_state(unsafeResult)
                .map { unsafe String(cString: $0) }
            return .refused(message: message ?? "the server's answer is unexpected", state: state)
        }
    }
}
