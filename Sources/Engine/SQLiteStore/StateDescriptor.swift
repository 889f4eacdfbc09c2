import State
import Synchronization
import SystemIO

/// An open descriptor of a state's file, which carries the lock of its writer.
///
/// A process that closes any descriptor of a file loses the `fcntl` locks that SQLite has on that
/// file. Descriptors are therefore closed only when the process has no other `StateDescriptor` of
/// the file, and a store keeps its own until its connection is closed. A class, because the
/// deinitializer is where a descriptor stops being used.
final class StateDescriptor: Sendable {
    private let lock: OpenLock
    /// The open file.
    let identity: FileIdentity

    /// - Throws: `.unsuitable` if the path is a link; nothing is read or written.
    init(_ path: String) throws(StateStoreError) {
        lock = OpenLock(try Self.open(path))
        let status = try stateErrors(path: path) { [lock] () throws(SystemError) in
            try lock.value.status()
        }
        identity = FileIdentity(status)
        OpenDescriptors.enter(identity)
    }

    private static func open(_ path: String) throws(StateStoreError) -> FileLock {
        do throws(SystemError) {
            // Without the second option, opening a named pipe would block.
            return try FileLock(existing: path, options: [.refusingLinks, .withoutWaiting])
        } catch {
            guard error != .linkLoop else { throw .unsuitable(path: path, reason: .link) }
            throw StateStoreError(error, path: path)
        }
    }

    deinit {
        lock.value.unlock()
        OpenDescriptors.leave(identity, with: lock)
    }

    /// Returns false if another process has the lock.
    func tryLock(path: String) throws(StateStoreError) -> Bool {
        try lockErrors(path: path) { () throws(SystemError) in try lock.value.tryLock() }
    }

    /// Whether another process has the lock, which this process does not have.
    ///
    /// It briefly takes a shared lock, and a process that tries to lock at that time tries again.
    func isLockedByAnother(path: String) throws(StateStoreError) -> Bool {
        let isHeld = try lockErrors(path: path) { () throws(SystemError) in
            try lock.value.isHeld()
        }
        if !isHeld { lock.value.unlock() }
        return isHeld
    }

    func unlock() {
        lock.value.unlock()
    }

    /// The number of names of the file; nil if the file system does not answer.
    var linkCount: Int? { (try? lock.value.status())?.linkCount }

    private func lockErrors(
        path: String,
        _ work: () throws(SystemError) -> Bool
    ) throws(StateStoreError) -> Bool {
        do throws(SystemError) {
            return try work()
        } catch {
            throw .failed(path: path, reason: "cannot lock: " + error.reason)
        }
    }
}

/// A class, because arrays cannot hold noncopyable values.
private final class OpenLock: Sendable {
    let value: FileLock

    init(_ value: consuming FileLock) {
        self.value = value
    }
}

/// Postpones closing a descriptor until the process has no other one of the same file.
private enum OpenDescriptors {
    private struct Entry {
        var users = 0
        var unused: [OpenLock] = []
    }

    private static let entries = Mutex<[FileIdentity: Entry]>([:])

    static func enter(_ file: FileIdentity) {
        entries.withLock { $0[file, default: Entry()].users += 1 }
    }

    static func leave(_ file: FileIdentity, with lock: OpenLock) {
        entries.withLock { entries in
            guard var entry = entries.removeValue(forKey: file) else { return }
            entry.users -= 1
            entry.unused.append(lock)
            if entry.users > 0 { entries[file] = entry }
        }
    }
}
