import State
import Synchronization
import SystemIO

/// The lock that makes a process the only writer: `flock(2)` on a separate file.
///
/// The kernel releases it when the process ends in any way; a stopped process keeps it. The file
/// itself stays, and describes the holder while the lock is held. The deinitializer releases the
/// lock.
struct WriterLock: ~Copyable, Sendable {
    private let path: String
    private let held = Mutex<FileLock?>(nil)

    private static let interval = Duration.milliseconds(100)

    init(path: String) {
        self.path = path
    }

    deinit {
        release()
    }

    /// Returns the current holder of the lock; the lock file alone is no evidence.
    ///
    /// It briefly takes a shared lock, and a process that tries to lock at that time tries again.
    static func holder(path: String) throws(StateStoreError) -> CurrentWriter {
        guard let file = try LockFile(existing: path), try file.isHeld() else { return .nobody }
        return .somebody(Worker(lockText: file.text()))
    }

    func acquire(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        let file = try LockFile(path: path)
        let deadline = ContinuousClock.now + waiting
        while try !file.tryLock() {
            let left = deadline - ContinuousClock.now
            guard left > .zero, await Self.sleep(min(left, Self.interval)) else {
                throw .locked(holder: Worker(lockText: file.text()))
            }
        }
        try file.write(worker.lockText)
        var lock = Optional(file.take())
        held.withLock { swap(&$0, &lock) }
    }

    func release() {
        held.withLock { held in
            try? held?.setText("")
            held = nil
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

/// The lock's file, with the errors of a state.
private struct LockFile: ~Copyable {
    private let path: String
    private let lock: FileLock

    init(path: String) throws(StateStoreError) {
        self.path = path
        do throws(SystemError) {
            lock = try FileLock(path)
        } catch {
            switch error {
            case .accessDenied, .notPermitted, .readOnlyFileSystem: throw .readOnly(path: path)
            default: throw StateStoreError(error, path: path)
            }
        }
    }

    /// Nil if there is none.
    init?(existing path: String) throws(StateStoreError) {
        self.path = path
        do throws(SystemError) {
            lock = try FileLock(existing: path)
        } catch {
            guard error == .notFound else { throw StateStoreError(error, path: path) }
            return nil
        }
    }

    /// Whether another process has an exclusive lock; closing this file releases the lock of the
    /// test.
    func isHeld() throws(StateStoreError) -> Bool {
        try lockErrors { () throws(SystemError) in try lock.isHeld() }
    }

    /// The lock, which the caller keeps open.
    consuming func take() -> FileLock { lock }

    func tryLock() throws(StateStoreError) -> Bool {
        try lockErrors { () throws(SystemError) in try lock.tryLock() }
    }

    private func lockErrors(
        _ work: () throws(SystemError) -> Bool
    ) throws(StateStoreError) -> Bool {
        do throws(SystemError) {
            return try work()
        } catch {
            throw .failed(path: path, reason: "cannot lock: " + error.reason)
        }
    }

    func write(_ text: String) throws(StateStoreError) {
        try stateErrors(path: path) { () throws(SystemError) in try lock.setText(text) }
    }

    func text() -> String { lock.text() }
}
