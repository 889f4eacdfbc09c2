import GRDB
package import JSON
package import State
import StoreTables

extension SQLiteStore {
    /// What to do if a state is missing.
    package enum MissingState: Sendable {
        case refused
        /// `randomBytes`: returns as many bytes as requested, suitable for keys.
        case created(
            randomBytes: @Sendable (Int) -> [UInt8] = { SystemRandom.bytes($0) }
        )
    }

    /// What a store reports while it is open.
    package struct Events: Sendable {
        /// Called when the state has moved to the current key.
        let didRewrap: @Sendable () -> Void
        /// Called when the beginning of a run is committed, before its first effect.
        let didBeginRun: @Sendable (SQLiteStore) async -> Void

        package init(
            didRewrap: @escaping @Sendable () -> Void = {},
            didBeginRun: @escaping @Sendable (SQLiteStore) async -> Void = { _ in }
        ) {
            self.didRewrap = didRewrap
            self.didBeginRun = didBeginRun
        }
    }

    /// Opens the state at a path, and creates it and its folder if they are missing.
    ///
    /// A state that is not writable can be read. If its folder is not writable either, no process
    /// may have it open.
    ///
    /// - Parameters:
    ///   - path: The path of the state's file.
    ///   - keys: The key opens an encrypted state and encrypts a new one. The previous key opens a
    ///     state that does not use the key yet; the next writer moves it to the key.
    ///   - missing: What to do if the state is missing.
    ///   - events: What the store reports.
    /// - Returns: The store, which closes the file in its deinitializer.
    /// - Throws: The problem with the file, its folder or the keys; a file that is not a state
    ///   stays unchanged.
    package static func open(
        path: String,
        keys: StateKeys = .none,
        ifMissing missing: MissingState = .created(),
        events: Events = Events()
    ) throws(StateStoreError) -> SQLiteStore {
        if try StateFile.isMissing(path) {
            switch missing {
            case .refused: throw .missing(path: path)
            case .created(let randomBytes):
                try StateFile.create(path, key: keys.key, randomBytes: randomBytes)
            }
        }
        try StatePlace.checkSuitable(path)
        // Before the connection: if the file is replaced in between, the lock is refused.
        let descriptor = try StateDescriptor(path)
        let hadLog = hasLog(path: path)
        let queue = try Connection.open(path, isSealed: keys.key != nil)
        let store = SQLiteStore(
            descriptor,
            place: StatePlace(of: path, file: descriptor.identity),
            queue: queue,
            path: path,
            home: path,
            keyring: StateKeyring(key: keys.key, previous: keys.previous),
            events: events
        )
        if !hadLog { try store.refuseLostLog() }
        try store.requireUnmoved()
        try store.openVault()
        return store
    }

    /// Reads the settings of the environment at the last apply, which are not encrypted, without
    /// the state's keys.
    ///
    /// - Returns: Nil before the first apply.
    package static func environment(ofStateAt path: String) throws(StateStoreError) -> JSONValue? {
        try StatePlace.checkSuitable(path)
        // Released after the connection; see `StateDescriptor`.
        let descriptor = try StateDescriptor(path)
        defer { withExtendedLifetime(descriptor) {} }
        let queue = try Connection.open(path)
        let text: String?
        do {
            text = try queue.read { db in
                try String.fetchOne(db, sql: "SELECT environment FROM meta")
            }
            try Connection.close(queue)
        } catch {
            throw StateStoreError(error, path: path)
        }
        guard let text else { return nil }
        guard let environment = JSONValue(stored: text) else {
            throw .damaged(path: path, reason: "the settings of the environment are not JSON")
        }
        return environment
    }

    /// Opens a copy of a state that no other process uses.
    ///
    /// `home`: the path of the state itself, next to which its other files are.
    package static func openDraft(
        path: String,
        home: String,
        keys: StateKeys = .none
    ) throws(StateStoreError) -> SQLiteStore {
        let store = SQLiteStore(
            try StateDescriptor(path),
            place: nil,
            queue: try Connection.open(path, isSealed: keys.key != nil),
            path: path,
            home: home,
            keyring: StateKeyring(key: keys.key, previous: keys.previous),
            events: Events()
        )
        try store.openVault()
        return store
    }

    /// The state had no write-ahead log before it was opened.
    ///
    /// A run that has not ended always has one, because its beginning is written into the main file
    /// and the log is kept until its end is.
    ///
    /// - Throws: `.damaged` if a run has not ended and no process is writing.
    nonisolated private func refuseLostLog() throws(StateStoreError) {
        guard let run = try unfinishedRun(), try writerLock.holder() == .nobody else { return }
        throw damaged("run \(run.number) has not ended, and its write-ahead log is missing")
    }

    /// The newest run that has not recorded its end.
    nonisolated package func unfinishedRun() throws(StateStoreError) -> RunID? {
        try readRows { db in try Self.unfinishedRun(in: db) }
    }

    nonisolated static func unfinishedRun(in db: Database) throws -> RunID? {
        try Int64.fetchOne(
            db,
            sql: "SELECT max(id) FROM runs WHERE status = ?",
            arguments: [RunStatus.running.rawValue]
        ).map(RunID.init(number:))
    }
}
