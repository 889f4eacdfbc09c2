internal import CLibPQ
internal import SystemIO

/// A statement with its parameters, `$1` and so on.
package struct PostgresStatement: Hashable, Sendable {
    package let text: String
    package let parameters: [PostgresValue]

    package init(_ text: String, _ parameters: [PostgresValue] = []) {
        self.text = text
        self.parameters = parameters
    }
}

/// The answers to a pipeline.
package struct PostgresAnswers {
    /// The answers to the statements before the first one that failed.
    package let results: [PostgresResult]
    /// The error of that statement; nil if none failed.
    package let failure: PostgresError?
}

/// A connection on which statements are sent in pipelines (PostgreSQL documentation, Pipeline Mode).
///
/// Statements are unnamed, so that any server connection of a pool can execute them. Every waiting
/// ends with the patience that the caller gives. A class, because it owns the connection, and counts
/// the server's warnings at an address that does not change.
@safe package final class PostgresPipeline {
    private let connection: PostgresConnection
    private let unsafeWarnings: UnsafeMutablePointer<CInt>
    /// Whether an error left answers unread; then the connection cannot be used again.
    private var isLost = false

    /// - Throws: `.unreachable`, `.timedOut` or `.stopped`.
    package init(
        to address: PostgresAddress,
        within patience: PostgresPatience
    ) throws(PostgresError) {
        connection = try PostgresConnection.open(to: address, within: patience)
        unsafe unsafeWarnings = .allocate(capacity: 1)
        unsafe unsafeWarnings.initialize(to: 0)
        unsafe herald_pq_count_warnings(connection.unsafeHandle, unsafeWarnings)
        guard unsafe herald_pq_set_nonblocking(connection.unsafeHandle) == 0,
            unsafe herald_pq_enter_pipeline_mode(connection.unsafeHandle) == 1
        else { throw .unreachable(message: connection.message) }
    }

    deinit {
        unsafe unsafeWarnings.deallocate()
    }

    /// Such as 150008 for 15.8.
    package var serverVersion: Int {
        Int(unsafe herald_pq_server_version(connection.unsafeHandle))
    }

    /// The number of warnings that the server has sent.
    package var warnings: Int { Int(unsafe unsafeWarnings.pointee) }

    /// Whether the connection can be used.
    package var isUsable: Bool {
        unsafe !isLost && herald_pq_status(connection.unsafeHandle) == CONNECTION_OK
    }

    /// Sends statements in one write and returns their answers.
    ///
    /// - Throws: The error of the first statement that failed; the later ones were not executed. A
    ///   transaction that was begun stays open until `ROLLBACK`.
    package func send(
        _ statements: [PostgresStatement],
        within patience: PostgresPatience
    ) throws(PostgresError) -> [PostgresResult] {
        let answers = try answers(to: statements, within: patience)
        if let failure = answers.failure { throw failure }
        return answers.results
    }

    /// Sends statements in one write and returns the answers up to the first error.
    ///
    /// - Throws: Only if not all answers arrived: `.timedOut`, `.stopped`, or `.refused` without a state.
    package func answers(
        to statements: [PostgresStatement],
        within patience: PostgresPatience
    ) throws(PostgresError) -> PostgresAnswers {
        guard isUsable else { throw .refused(message: "the connection was lost", state: nil) }
        // Cleared only if all answers were read.
        isLost = true
        for statement in statements { try enqueue(statement) }
        guard unsafe herald_pq_pipeline_sync(connection.unsafeHandle) == 1 else { throw broken }
        var results: [PostgresResult] = []
        results.reserveCapacity(statements.count)
        var failure: PostgresError?
        reading: while true {
            // Nil is the end of the answer to one statement.
            guard let result = try next(within: patience) else {
                try patience.check()
                continue
            }
            switch result.status {
            case .rows: results.append(result)
            case .skipped: break
            case .synced: break reading
            case .failed(let error):
                failure = failure ?? error
                if case .refused(_, nil) = error { throw error }
            }
        }
        isLost = false
        guard failure != nil || results.count == statements.count else {
            isLost = true
            throw .refused(message: "the server's answer is incomplete", state: nil)
        }
        return PostgresAnswers(results: results, failure: failure)
    }

    private func enqueue(_ statement: PostgresStatement) throws(PostgresError) {
        let values = statement.parameters.map(\.encoded)
        let types = statement.parameters.map { Oid($0.type) }
        let lengths = values.map { CInt($0?.count ?? 0) }
        let isSent = unsafe withPointers(to: values) { pointers in
            unsafe herald_pq_send_binary(
                connection.unsafeHandle,
                statement.text,
                CInt(values.count),
                types,
                pointers,
                lengths
            )
        }
        guard isSent == 1 else { throw broken }
    }

    private var broken: PostgresError { .refused(message: connection.message, state: nil) }

    /// Returns nil at the end of the answer to a statement.
    private func next(within patience: PostgresPatience) throws(PostgresError) -> PostgresResult? {
        try connection.flush(within: patience, until: .answered)
        guard let result = unsafe herald_pq_get_result(connection.unsafeHandle) else {
            // Without this, a lost connection would look like endless ends of answers.
            guard unsafe herald_pq_status(connection.unsafeHandle) == CONNECTION_OK else {
                throw broken
            }
            return nil
        }
        return unsafe PostgresResult(unsafeResult: result)
    }
}

extension PostgresConnection {
    /// When `flush` ends.
    enum FlushEnd {
        /// Everything was passed to the kernel.
        case sent
        /// An answer can be read.
        case answered
    }

    /// Passes what was queued to the kernel, and reads what arrives in between.
    func flush(
        within patience: PostgresPatience,
        until end: FlushEnd
    ) throws(PostgresError) {
        while true {
            let rest = unsafe herald_pq_flush(unsafeHandle)
            guard rest >= 0 else { throw .refused(message: message, state: nil) }
            switch end {
            case .sent: if rest == 0 { return }
            case .answered: if unsafe herald_pq_is_busy(unsafeHandle) == 0 { return }
            }
            try patience.check()
            let socket = unsafe herald_pq_socket(unsafeHandle)
            let isReady =
                rest > 0
                ? InputReadiness.acceptsInputOrOutput(socket, atMost: patience.step)
                : InputReadiness.among([socket], atMost: patience.step)[0]
            guard isReady else { continue }
            guard unsafe herald_pq_consume_input(unsafeHandle) == 1 else {
                throw .refused(message: message, state: nil)
            }
        }
    }
}

/// Passes the addresses of binary values; nil for NULL.
private func withPointers<Result>(
    to values: [[UInt8]?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    // One buffer, because nested closures would limit the number of parameters.
    var bytes: [UInt8] = []
    var starts: [Int?] = []
    for value in values {
        starts.append(value == nil ? nil : bytes.count)
        // libpq takes a null pointer as NULL, so an empty value needs an address, too.
        bytes += value ?? []
        bytes.append(0)
    }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
        let base = unsafe UnsafeRawPointer(buffer.baseAddress)
        var pointers: [UnsafePointer<CChar>?] = unsafe starts.map { start in
            guard let start, let base = unsafe base else { return nil }
            return unsafe base.advanced(by: start).assumingMemoryBound(to: CChar.self)
        }
        // Without parameters, the address is not read.
        if unsafe pointers.isEmpty { unsafe pointers.append(nil) }
        return unsafe pointers.withUnsafeBufferPointer { list in
            guard let first = list.baseAddress else { preconditionFailure("it has an element") }
            return unsafe body(first)
        }
    }
}
