import Inbox
import PostgresStore
import Presentation
import SQLiteStore
import State
import StoreTables
import Time

/// The inbox of a state, and its lock if it has one.
struct ListenInbox {
    let store: any InboxStore
    /// Nil if any number of listeners may store messages.
    private let file: SQLiteInbox?

    /// Creates a missing inbox.
    init(of state: any TableStore) async throws(CommandFailure) {
        let (store, file) = try await mapStateErrors {
            () async throws(StateStoreError) -> (any InboxStore, SQLiteInbox?) in
            if let server = state as? PostgresStore {
                return (try await PostgresInbox(of: server), nil)
            }
            guard let state = state as? SQLiteStore,
                let file = try await SQLiteInbox.open(of: state, creates: true)
            else { preconditionFailure("a state is in a file or on a server") }
            return (file, file)
        }
        self.store = store
        self.file = file
    }

    func lock(waiting seconds: Int, in session: Session) async throws(CommandFailure) {
        guard let file else { return }
        let worker = Worker.this(command: "herald listen", since: session.clock.now())
        try await mapStateErrors { () async throws(StateStoreError) in
            try await file.lock(for: worker, waiting: .seconds(seconds))
        }
    }

    func unlock() async { await file?.unlock() }
}
