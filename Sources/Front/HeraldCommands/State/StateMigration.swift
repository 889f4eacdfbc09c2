import Applying
import Inbox
import PostgresStore
import Presentation
import RegistrationLists
import SQLiteStore
import State
import StoreTables
import SystemIO
import Time

/// Moves a whole state to another place.
///
/// The copy is refused until the old state is marked as moved, so that at no time both are in use.
/// Until then, the old state is the one in use.
struct StateMigration {
    private let state: EnvironmentState
    let source: StateAddress
    let target: StateAddress
    private let worker: Worker
    private let timeout: Int

    /// - Throws: A failure if both are files or both are on servers.
    init(
        of state: EnvironmentState,
        to target: StateAddress,
        by worker: Worker,
        waiting timeout: Int
    ) throws(CommandFailure) {
        switch (state.address, target) {
        case (.file, .server), (.server, .file): break
        case (.file, .file), (.server, .server):
            throw CommandFailure(
                .migrationWithinKind(from: state.address.name, to: target.name),
                exit: .usage
            )
        }
        self.state = state
        source = state.address
        self.target = target
        self.worker = worker
        self.timeout = timeout
    }

    /// Returns the serial of the moved state.
    func perform() async throws(CommandFailure) -> StateSerial {
        if try await isOnlyUnfinished() { return try await complete() }
        let store = try await state.openOrFail()
        try await locked(store, for: worker, waiting: timeout) { () async throws(CommandFailure) in
            try await settle(store)
            try await refuseWaitingMessages(of: store)
            try await copy(store)
        }
        return try await complete()
    }

    /// The inbox is not moved, so a run has to act on its messages first.
    private func refuseWaitingMessages(of store: any TableStore) async throws(CommandFailure) {
        let waiting = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.openInbox(creates: false)?.summary().waiting ?? 0
        }
        guard waiting == 0 else {
            throw CommandFailure(.messagesStayBehind(waiting, in: source.name))
        }
    }

    /// Whether an earlier migration marked the old state and ended before it recorded the move in the
    /// history of the copy.
    private func isOnlyUnfinished() async throws(CommandFailure) -> Bool {
        try await mapStateErrors { () async throws(StateStoreError) in
            guard try await source.isThere() else { return false }
            let old = try await source.mark()
            guard old.moved == target.fullName, try await target.isThere() else { return false }
            let new = try await target.mark()
            let isReleased = new.moved == nil && new.lastEntry == old.lastEntry
            return new.lineage == old.lineage && (new.moved == source.fullName || isReleased)
        }
    }

    /// Records the end of a run that was killed: notes about its requests are files of this machine.
    private func settle(_ store: any TableStore) async throws(CommandFailure) {
        try await mapStateErrors { () async throws(StateStoreError) in
            let key = try await store.identity().fingerprintKey
            let recorder = OccurrenceRecorder(store: store, fingerprinter: Fingerprinter(key: key))
            _ = try await recorder.settleAfterCrash(by: worker)
            guard try await store.runs(limit: 1).first?.status == .running else { return }
            let run = try await store.beginRun(worker)
            try await store.finishRun(
                run,
                as: RunEnd(
                    status: .complete,
                    tally: OutcomeTally(),
                    cause: nil,
                    at: worker.since
                )
            )
        }
    }

    /// Copies the state and marks it as moved, under its lock.
    private func copy(_ store: any TableStore) async throws(CommandFailure) {
        let identity = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity()
        }
        if let store = store as? SQLiteStore, case .server(let place) = target {
            try await copy(store, identity, to: place)
        } else if let store = store as? PostgresStore, case .file(let path) = target {
            try await copy(store, identity, to: path)
        }
    }

    private func copy(
        _ store: SQLiteStore,
        _ identity: StateIdentity,
        to place: PostgresPlace
    ) async throws(CommandFailure) {
        let mark = source.fullName
        let occupant = try await mapStateErrors { () async throws(StateStoreError) in
            let version = try await store.version()
            let found = try await PostgresStore.fill(place, with: identity, moved: mark) { to in
                try store.readForMove { try StateMove(from: $0, to: to).perform() }
            }
            if found == nil { try await store.markMoved(to: target.fullName, since: version) }
            return found
        }
        if let occupant { throw CommandFailure(.occupiedPlace(target.name, by: occupant)) }
    }

    private func copy(
        _ store: PostgresStore,
        _ identity: StateIdentity,
        to path: String
    ) async throws(CommandFailure) {
        let lock = try await state.session.lockState(path, for: worker, waiting: timeout)
        defer { lock.release() }
        let found = try await mapStateErrors { () async throws(StateStoreError) in
            try SQLiteStore.isThere(path: path) ? try SQLiteStore.mark(ofStateAt: path) : nil
        }
        if let found, !found.isLeftOver(by: identity) {
            throw CommandFailure(.occupiedPlace(target.name, by: found))
        }
        let mark = source.fullName
        let draft = TemporaryStateFile.name(beside: path)
        defer { SQLiteStore.discardDraft(draft, home: path) }
        try await mapStateErrors { () async throws(StateStoreError) in
            let version = try await store.version()
            try await store.readForMove { from in
                try SQLiteStore.fillDraft(draft, home: path, moved: mark) { to in
                    try StateMove(from: from, to: to).perform()
                }
            }
            let aside =
                found != nil
                ? try DisplacedStateFile(
                    of: path,
                    as: "replaced",
                    at: worker.since.compactText
                ) : nil
            try SQLiteStore.publishDraft(draft, as: path, replacing: aside, under: lock)
            try await store.markMoved(to: target.fullName, since: version)
        }
    }

    /// Puts the copy into use, and records the move in its history.
    private func complete() async throws(CommandFailure) -> StateSerial {
        let seen = KnownStateFile(state.session.context.variables)
        let keys = try state.session.stateKeys(state.chosen)
        try await release()
        let store = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.open(keys, creates: false)
        }
        return try await locked(
            store,
            for: worker,
            waiting: timeout
        ) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                try await store.note(worker)
                let identity = try await store.identity()
                await seen.keep(identity, of: store)
                seen.place(identity.lineage, at: target)
                return identity.serial
            }
        }
    }

    /// Removes the mark of the copy, if it is still there.
    private func release() async throws(CommandFailure) {
        let mark = source.fullName
        switch target {
        case .file(let path):
            let lock = try await state.session.lockState(path, for: worker, waiting: timeout)
            defer { lock.release() }
            try await mapStateErrors { () async throws(StateStoreError) in
                try SQLiteStore.completeMove(to: path, from: mark)
            }
        case .server(let place):
            try await mapStateErrors { () async throws(StateStoreError) in
                try await PostgresStore.completeMove(to: place, from: mark)
            }
        }
    }
}

extension StateAddress {
    /// Names the place on this machine, whatever the current directory is.
    fileprivate var fullName: String {
        guard let path else { return name }
        return RealPath.of(FileSystem.parent(of: path)).map {
            "\($0)/\(path.split(separator: "/").last ?? "")"
        } ?? path
    }

    fileprivate func mark() async throws(StateStoreError) -> StateMark {
        switch self {
        case .file(let path): try SQLiteStore.mark(ofStateAt: path)
        case .server(let place): try await PostgresStore.mark(ofStateAt: place)
        }
    }
}
