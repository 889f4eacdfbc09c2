import CampaignModel
import FoundationEssentials
import JSON
import PostgresClient
import State
import StoreTables
import Synchronization

/// The row of `lists` for a draft.
struct ListHead: Sendable {
    let name: String
    let shape: ListShape
    let count: Int

    /// The names of the columns as JSON.
    var columns: String { JSONValue.array(shape.columns.map(JSONValue.string)).compactText }
}

/// The long lists of a store on their way into the tables, by COPY on a separate connection.
///
/// They share one connection, because a project may have more lists than a server has connections.
/// Their rows are in one transaction, which a list commits when it is complete. Then the rows of the
/// other lists are stored, too; their lists have no content ID yet, and the end of a run drops those
/// that are not kept.
final class ListCopies: Sendable {
    private let place: PostgresPlace
    private let state = Mutex(State())

    /// A list that was begun.
    struct Draft: Sendable {
        /// The number of its row in `lists`.
        let row: Int64
        fileprivate let generation: Int
    }

    private struct State {
        /// Nil if nothing was copied since the last commit.
        var copy: PostgresCopy?
        /// The lists that are neither complete nor dropped.
        var rows: Set<Int64> = []
        /// Lists that were dropped since the last commit.
        var dropped: [Int64] = []
        /// Raised when the rows since the last commit are lost; then all lists that were begun are
        /// incomplete.
        var generation = 0
        /// Why they were lost.
        var failure = PostgresError.stopped
    }

    /// A list may be read for hours before the next value.
    private static let limit = Duration.seconds(75)

    private static var patience: PostgresPatience { PostgresLimit.patience(limit) }

    init(at place: PostgresPlace) {
        self.place = place
    }

    func begin(_ head: ListHead) throws(PostgresError) -> Draft {
        // Far above the numbers that the table chooses.
        let row = Int64.random(in: 1 << 40..<1 << 62)
        let insertion = insertion(of: head, as: row)
        return try change { state throws(PostgresError) in
            if let copy = state.copy {
                try copy.finish(with: [insertion], within: Self.patience)
                try copy.begin(within: Self.patience)
            } else {
                state.copy = try open(with: [insertion])
            }
            state.rows.insert(row)
            return Draft(row: row, generation: state.generation)
        }
    }

    func append(_ values: [ListValue], to draft: Draft) throws(PostgresError) {
        let rows = values.map { value -> [PostgresValue] in
            [
                .integer(draft.row), .integer(Int64(value.first)), .integer(Int64(value.count)),
                .integer(value.checksum), .bytes(Data(value.bytes)),
            ]
        }
        try change(draft) { state throws(PostgresError) in
            try running(&state).append(rows, within: Self.patience)
        }
    }

    /// Makes a complete list durable; a list with this name is dropped at the end of the next run unless
    /// it is kept.
    func finish(_ draft: Draft, count: Int) throws(PostgresError) {
        try change(draft) { state throws(PostgresError) in
            let copy = try running(&state)
            let drops = state.dropped.map { "DELETE FROM \(place.schema).lists WHERE id = \($0)" }
            let update = "UPDATE \(place.schema).lists SET count = \(count) WHERE id = \(draft.row)"
            try copy.finish(with: drops + [update, "COMMIT"], within: Self.patience)
            state.copy = nil
            state.dropped = []
            state.rows.remove(draft.row)
        }
    }

    /// Drops a list that is not kept; without effect on a complete one.
    func drop(_ draft: Draft) {
        state.withLock { state in
            guard draft.generation == state.generation, state.rows.remove(draft.row) != nil
            else { return }
            state.dropped.append(draft.row)
            guard state.rows.isEmpty else { return }
            // The server rolls it back.
            state.copy = nil
            state.dropped = []
        }
    }

    private func running(_ state: inout State) throws(PostgresError) -> PostgresCopy {
        if let copy = state.copy { return copy }
        let copy = try open()
        state.copy = copy
        return copy
    }

    /// Changes the state; after an error, the uncommitted rows of all lists are lost.
    ///
    /// `draft`: a list that must not have lost rows.
    private func change<Value: Sendable>(
        _ draft: Draft? = nil,
        _ body: (inout State) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        let result = state.withLock { state -> Result<Value, PostgresError> in
            if let draft, draft.generation != state.generation { return .failure(state.failure) }
            do throws(PostgresError) {
                return .success(try body(&state))
            } catch {
                state = State(generation: state.generation + 1, failure: error)
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: Statements

    /// Opens a connection, executes statements in a transaction, and begins to copy.
    private func open(with statements: [String] = []) throws(PostgresError) -> PostgresCopy {
        try PostgresCopy(
            to: place.address,
            after: [
                "BEGIN", "SET LOCAL synchronous_commit = on", "SET LOCAL statement_timeout = 0",
                "SET LOCAL lock_timeout = '5s'",
                """
                SET LOCAL idle_in_transaction_session_timeout
                    = '\(PostgresIdleLimit.store.rawValue)'
                """,
            ] + statements,
            into: "\(place.schema).list_chunks (list, first, count, checksum, registrations)",
            within: Self.patience
        )
    }

    private func insertion(of head: ListHead, as row: Int64) -> String {
        let values = [
            "\(row)", Self.literal("draft-" + head.name), Self.literal(head.shape.kind.rawValue),
            Self.literal(head.columns), "0", "1", Self.literal(head.name),
        ]
        return """
            INSERT INTO \(place.schema).lists (id, digest, kind, columns, count, pending, name)
            VALUES (\(values.joined(separator: ", ")))
            """
    }

    /// A text in quotes (PostgreSQL documentation, String Constants with C-Style Escapes).
    private static func literal(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return "E'\(escaped)'"
    }
}
