internal import CLibPQ
internal import SystemIO

/// A connection to a PostgreSQL server; it is closed at the end.
///
/// All waiting ends with the patience that the caller gives. Statements use the extended protocol,
/// in which a text with a second statement is an error.
@safe package struct PostgresConnection: ~Copyable {
    let unsafeHandle: OpaquePointer

    private init(unsafeHandle: OpaquePointer) {
        unsafe self.unsafeHandle = unsafe unsafeHandle
    }

    deinit {
        unsafe herald_pq_finish(unsafeHandle)
    }

    /// Opens a connection.
    ///
    /// - Throws: `.unreachable`, `.timedOut` or `.stopped`.
    package static func open(
        to address: PostgresAddress,
        within patience: PostgresPatience
    ) throws(PostgresError) -> PostgresConnection {
        guard let handle = unsafe begin(address.settings.sorted { $0.key < $1.key }) else {
            throw .unreachable(message: "libpq could not allocate a connection")
        }
        let connection = unsafe PostgresConnection(unsafeHandle: handle)
        try connection.connect(within: patience)
        return connection
    }

    /// The names and values must end with a null pointer.
    private static func begin(_ settings: [(key: String, value: String)]) -> OpaquePointer? {
        unsafe withCStrings(settings.map(\.key)) { names in
            unsafe withCStrings(settings.map(\.value)) { values in
                unsafe herald_pq_connect_start(names, values)
            }
        }
    }

    private func connect(within patience: PostgresPatience) throws(PostgresError) {
        var wish = PGRES_POLLING_WRITING
        while wish != PGRES_POLLING_OK {
            guard unsafe herald_pq_status(unsafeHandle) != CONNECTION_BAD,
                wish != PGRES_POLLING_FAILED
            else { throw .unreachable(message: message) }
            try patience.check()
            let socket = unsafe herald_pq_socket(unsafeHandle)
            let isReady =
                wish == PGRES_POLLING_WRITING
                ? InputReadiness.acceptsOutput(socket, atMost: patience.step)
                : InputReadiness.among([socket], atMost: patience.step)[0]
            if isReady { wish = unsafe herald_pq_connect_poll(unsafeHandle) }
        }
    }

    /// libpq's message about the connection, without line breaks at its end.
    var message: String {
        guard let text = unsafe herald_pq_error_message(unsafeHandle) else { return "" }
        let message = unsafe String(cString: text)
        return String(message.reversed().drop { $0.isNewline }.reversed())
    }
}

// MARK: - Statements

extension PostgresConnection {
    /// Executes one statement without rows.
    package func execute(
        _ statement: String,
        within patience: PostgresPatience
    ) throws(PostgresError) {
        _ = try forEachRow(of: statement, within: patience) { _ in true }
    }

    /// Executes one statement and visits its rows, holding one at a time.
    ///
    /// `visit` is also called for a result without rows, whose `isPresent` is false, so that it can
    /// see the names of the columns. It returns whether to continue. Returns the number of rows.
    ///
    /// - Throws: `.stopped` if `visit` does not continue; then the connection cannot be used again.
    package func forEachRow(
        of statement: String,
        within patience: PostgresPatience,
        visit: (borrowing PostgresRow) -> Bool
    ) throws(PostgresError) -> Int {
        guard unsafe herald_pq_send_statement(unsafeHandle, statement) == 1 else {
            throw .refused(message: message, state: nil)
        }
        // Without this mode, libpq would hold all rows in memory.
        _ = unsafe herald_pq_set_single_row_mode(unsafeHandle)
        var count = 0
        var failure: PostgresError?
        while let row = try nextResult(within: patience) {
            if let error = row.error {
                // The last result reports the end; the first error is the reason.
                failure = failure ?? error
                continue
            }
            if row.isPresent { count += 1 }
            guard visit(row) else { throw .stopped }
        }
        if let failure { throw failure }
        return count
    }

    /// Returns nil after the last result of a statement.
    private func nextResult(within patience: PostgresPatience) throws(PostgresError) -> PostgresRow?
    {
        try flush(within: patience, until: .answered)
        guard let result = unsafe herald_pq_get_result(unsafeHandle) else { return nil }
        return unsafe PostgresRow(unsafeResult: result)
    }
}

// MARK: - Copying

extension PostgresConnection {
    /// Begins to copy rows to the server.
    func beginCopy(
        _ statement: String,
        within patience: PostgresPatience
    ) throws(PostgresError) {
        guard unsafe herald_pq_send_statement(unsafeHandle, statement) == 1 else {
            throw .refused(message: message, state: nil)
        }
        // While rows are copied, every further answer would be the same.
        guard let answer = try nextResult(within: patience) else {
            throw .refused(message: message, state: nil)
        }
        if let error = answer.error {
            try finishAnswers(within: patience)
            throw error
        }
    }

    /// Reads the answers to a statement up to the last one.
    func finishAnswers(within patience: PostgresPatience) throws(PostgresError) {
        var failure: PostgresError?
        while let answer = try nextResult(within: patience) { failure = failure ?? answer.error }
        if let failure { throw failure }
    }
}

/// Passes C strings, followed by a null pointer.
private func withCStrings<Result>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let strings = texts.map { Array($0.utf8CString) }
    return unsafe withPointers(strings[...], behind: [], body)
}

private func withPointers<Result>(
    _ rest: ArraySlice<[CChar]>,
    behind pointers: [UnsafePointer<CChar>?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    guard let first = rest.first else {
        let all = unsafe pointers + [nil]
        return unsafe all.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("it has an element") }
            return unsafe body(base)
        }
    }
    return unsafe first.withUnsafeBufferPointer { text in
        unsafe withPointers(rest.dropFirst(), behind: pointers + [text.baseAddress], body)
    }
}
