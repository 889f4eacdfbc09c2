import Glibc
import State
import Synchronization

/// The lock that makes a process the only writer: `flock(2)` on a separate file.
///
/// The kernel releases it when the process ends in any way; a stopped process keeps it. The file
/// itself stays, and describes the holder while the lock is held. The deinitializer releases the
/// lock.
struct WriterLock: ~Copyable, Sendable {
    private let path: String
    private let held = Mutex<CInt?>(nil)

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
        var file = try LockFile(path: path)
        let deadline = ContinuousClock.now + waiting
        while try !file.tryLock() {
            let left = deadline - ContinuousClock.now
            guard left > .zero, await Self.sleep(min(left, Self.interval)) else {
                throw .locked(holder: Worker(lockText: file.text()))
            }
        }
        try file.write(worker.lockText)
        let descriptor = file.take()
        held.withLock { $0 = descriptor }
    }

    func release() {
        let descriptor = held.withLock { held in
            defer { held = nil }
            return held
        }
        guard let descriptor else { return }
        ftruncate(descriptor, 0)
        close(descriptor)
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

/// The open file of a lock; its deinitializer closes it and thereby unlocks it.
private struct LockFile: ~Copyable {
    private let path: String
    private var descriptor: CInt

    init(path: String) throws(StateStoreError) {
        self.path = path
        // Closed on exec: a child that runs longer than this process must not keep the lock.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor < 0 else { return }
        switch errno {
        case EACCES, EPERM, EROFS: throw .readOnly(path: path)
        case let number: throw StateStoreError(errno: number, path: path)
        }
    }

    /// Nil if there is none.
    init?(existing path: String) throws(StateStoreError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else { return }
        let number = errno
        guard number == ENOENT else { throw StateStoreError(errno: number, path: path) }
        return nil
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether another process has an exclusive lock; closing this file releases the lock of the
    /// test.
    func isHeld() throws(StateStoreError) -> Bool { try !tryLock(LOCK_SH) }

    /// Leaves the file open for the caller.
    mutating func take() -> CInt {
        defer { descriptor = -1 }
        return descriptor
    }

    func tryLock(_ kind: CInt = LOCK_EX) throws(StateStoreError) -> Bool {
        while flock(descriptor, kind | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            case let number:
                throw .failed(
                    path: path,
                    reason: "cannot lock: " + String(cString: strerror(number))
                )
            }
        }
        return true
    }

    func write(_ text: String) throws(StateStoreError) {
        let bytes = Array(text.utf8)
        let isWritten =
            ftruncate(descriptor, 0) == 0
            && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
        guard isWritten else { throw StateStoreError(errno: errno, path: path) }
    }

    func text() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
