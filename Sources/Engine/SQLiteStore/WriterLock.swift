import State
import StoreTables
import Synchronization
import SystemIO

/// The lock that makes a process the only writer of a state: `flock(2)` on the state's file.
///
/// It belongs to the file and not to a name, so that every way to reach the file reaches the lock.
/// SQLite uses `fcntl(2)` locks, which are independent of it. The kernel releases it when the
/// process ends in any way; a stopped process keeps it. A file next to the state describes the
/// holder, for messages only.
struct WriterLock: ~Copyable, Sendable {
    private let path: String
    private let descriptor: StateDescriptor
    private let held = Mutex(false)

    init(of descriptor: StateDescriptor, path: String) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        release()
    }

    /// Returns the current holder of the lock; a description alone is no evidence.
    func holder() throws(StateStoreError) -> CurrentWriter {
        if !held.withLock({ $0 }) {
            guard try descriptor.isLockedByAnother(path: path) else { return .nobody }
        }
        return .somebody(HolderNote(of: path).read())
    }

    func acquire(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        try await LockWait(path: path, waiting: waiting).repeatUntilTrue {
            () throws(StateStoreError) in
            try descriptor.tryLock(path: path)
        }
        do throws(StateStoreError) {
            try HolderNote(of: path).write(worker)
        } catch {
            descriptor.unlock()
            throw error
        }
        held.withLock { $0 = true }
    }

    func release() {
        held.withLock { held in
            guard held else { return }
            HolderNote(of: path).clear()
            descriptor.unlock()
            held = false
        }
    }
}

/// The file that describes the holder of a state's lock.
struct HolderNote {
    private let state: String

    /// `state`: the path of the state.
    init(of state: String) {
        self.state = state
    }

    fileprivate var path: String { state + ".writer" }

    /// Nil if the holder has not described itself.
    func read() -> Worker? {
        guard case .bytes(let bytes) = FileContents(of: path, limit: 4_096) else { return nil }
        return Worker(lockText: String(decoding: bytes, as: UTF8.self))
    }

    /// - Throws: `.readOnly` if this user may not write next to the state.
    ///
    /// Other problems only make messages poorer.
    func write(_ worker: Worker) throws(StateStoreError) {
        do throws(SystemError) {
            try replace(with: worker.lockText)
        } catch {
            switch error {
            case .accessDenied, .notPermitted, .readOnlyFileSystem: throw .readOnly(path: state)
            default: return
            }
        }
    }

    func clear() {
        guard FileSystem.exists(path) else { return }
        do throws(SystemError) { try replace(with: "") } catch {}
    }

    /// Changes nothing unless the name belongs to a plain file with one name.
    private func replace(with text: String) throws(SystemError) {
        let options: File.Options = [.creating, .refusingLinks, .withoutWaiting]
        let file = try File(path, for: .writing, options: options)
        let status = try file.status()
        guard status.isFile, status.linkCount == 1 else { throw .notSupported }
        try file.truncate(to: 0)
        try file.write(Array(text.utf8), at: 0)
    }
}

/// Waiting for a lock that another process has, with a place in the queue for it.
struct LockWait {
    private let path: String
    private let deadline: ContinuousClock.Instant

    private static let interval = Duration.milliseconds(100)

    init(path: String, waiting: Duration) {
        self.path = path
        deadline = ContinuousClock.now + waiting
    }

    /// - Throws: `.locked` if the time is over or the task is cancelled.
    func repeatUntilTrue(
        _ attempt: () throws(StateStoreError) -> Bool
    ) async throws(StateStoreError) {
        var place: QueuePlace?
        while try !attempt() {
            let left = deadline - ContinuousClock.now
            if left > .zero, place == nil { place = try? QueuePlace(of: path) }
            guard left > .zero, await Self.sleep(min(left, Self.interval)) else {
                throw .locked(holder: HolderNote(of: path).read())
            }
        }
    }

    /// Returns false if the task was cancelled.
    private static func sleep(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }
}

/// A place in the queue for a state's lock: a shared lock of the file that describes the holder.
///
/// The kernel removes it when the process ends. It gives no right, and a place that is missing only
/// makes a service hold the lock longer. A class, because its deinitializer gives up the place.
final class QueuePlace: Sendable {
    private let lock: FileLock

    /// - Throws: `.wouldBlock` while another process looks at the queue, or the problem with the
    ///   file.
    init(of state: String) throws(SystemError) {
        lock = try FileLock(
            existing: HolderNote(of: state).path,
            options: [.refusingLinks, .withoutWaiting]
        )
        guard try lock.tryShare() else { throw .wouldBlock }
    }

    deinit {
        lock.unlock()
    }

    /// Whether a process has a place; false if that cannot be told.
    static func isTaken(of state: String) -> Bool {
        do throws(SystemError) {
            let lock = try FileLock(
                existing: HolderNote(of: state).path,
                options: [.refusingLinks, .withoutWaiting]
            )
            guard try lock.tryLock() else { return true }
            lock.unlock()
            return false
        } catch {
            return false
        }
    }
}
