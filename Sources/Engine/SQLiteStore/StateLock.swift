package import State
import StoreTables
import Synchronization
import SystemIO

/// The write lock of a state that cannot be opened or does not exist.
///
/// It is the lock of the state's file. Without a file, it is a lock of the folder, in which no other
/// process then creates a state. The owner releases it. A class, because the file that it locks can
/// change.
package final class StateLock: Sendable {
    private let path: String
    private let held = Mutex(Held())

    private struct Held {
        var file: StateDescriptor?
        var folder: FolderLock?
        /// The file that replaces the first one.
        var successor: StateDescriptor?
    }

    /// `path`: the path of the state.
    package init(path: String) throws(StateStoreError) {
        self.path = path
        try StatePlace.checkFolder(of: path)
        try Files.makeFolder(Files.parent(of: path))
    }

    /// Acquires the lock, and removes second names that a killed command gave the state.
    ///
    /// - Throws: `.locked`, or `.unsuitable` if the path cannot hold a state.
    package func acquire(
        for worker: Worker,
        waiting: Duration
    ) async throws(StateStoreError) {
        try await LockWait(path: path, waiting: waiting).repeatUntilTrue {
            () throws(StateStoreError) in
            try tryLock()
        }
        TemporaryStateFile.removeSecondNames(of: path)
        try StatePlace.checkSuitable(path)
        try HolderNote(of: path).write(worker)
    }

    package func release() {
        held.withLock { held in
            guard held.file != nil || held.folder != nil else { return }
            HolderNote(of: path).clear()
            held = Held()
        }
    }

    private func tryLock() throws(StateStoreError) -> Bool {
        if try Files.isMissing(path) {
            let folder = try FolderLock(of: path)
            guard try folder.tryLock(), try Files.isMissing(path) else { return false }
            held.withLock { $0.folder = folder }
            return true
        }
        let file = try StateDescriptor(path)
        guard try file.tryLock(path: path), Files.identity(of: path) == file.identity else {
            return false
        }
        held.withLock { $0.file = file }
        return true
    }

    /// Locks a finished file that is about to replace the state, so that no other process can
    /// write it first.
    func prepare(successor draft: String) throws(StateStoreError) {
        let file = try StateDescriptor(draft)
        guard try file.tryLock(path: path) else { throw .locked(holder: nil) }
        held.withLock { $0.successor = file }
    }
}

/// A lock of the folder in which a state is created.
final class FolderLock: Sendable {
    private let path: String
    private let lock: FileLock

    /// `path`: the path of the state.
    init(of path: String) throws(StateStoreError) {
        self.path = path
        lock = try stateErrors(path: path) { () throws(SystemError) in
            try FileLock(existing: Files.parent(of: path))
        }
    }

    func tryLock() throws(StateStoreError) -> Bool {
        try stateErrors(path: path) { () throws(SystemError) in try lock.tryLock() }
    }

    /// - Throws: `.locked` if another process keeps the lock for several seconds.
    func wait() throws(StateStoreError) {
        guard lock.tryLock(attempts: 500) else {
            throw .locked(holder: HolderNote(of: path).read())
        }
    }
}
