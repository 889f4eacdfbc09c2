import Glibc

/// A lock between processes: `flock(2)` on a file.
///
/// The kernel releases the lock when the process ends in any way; a stopped process keeps it. The
/// file itself stays. The deinitializer closes it and thereby releases the lock. Child processes do
/// not inherit the lock.
package struct FileLock: ~Copyable, Sendable {
    private let file: File

    /// Opens the file, which is created if there is none, and does not lock it yet.
    package init(_ path: String, options: File.Options = []) throws(SystemError) {
        file = try File(path, for: .readingAndWriting, options: options.union(.creating))
    }

    /// Opens an existing file or directory, which can then be locked or examined.
    package init(existing path: String, options: File.Options = []) throws(SystemError) {
        file = try File(path, for: .reading, options: options)
    }

    /// The locked file itself, even if its name now belongs to another file.
    package func status() throws(SystemError) -> FileStatus { try file.status() }

    /// Returns false if another process has the lock.
    package func tryLock() throws(SystemError) -> Bool { try tryLock(LOCK_EX) }

    /// Returns false if another process has the lock exclusively; several processes can share it.
    package func tryShare() throws(SystemError) -> Bool { try tryLock(LOCK_SH) }

    /// Tries to lock several times, 10 ms apart; returns false if that fails for any reason.
    package func tryLock(attempts: Int) -> Bool {
        for _ in 0..<attempts {
            if let isLocked = try? tryLock(), isLocked { return true }
            usleep(10_000)
        }
        return false
    }

    /// Whether another process has the lock.
    ///
    /// Takes a shared lock if not. A process that tries to lock at that time tries again.
    package func isHeld() throws(SystemError) -> Bool { try !tryShare() }

    /// Releases the lock and keeps the file open.
    package func unlock() {
        flock(file.descriptor, LOCK_UN)
    }

    private func tryLock(_ kind: CInt) throws(SystemError) -> Bool {
        while flock(file.descriptor, kind | LOCK_NB) != 0 {
            switch SystemError.last {
            case .interrupted: continue
            case .wouldBlock: return false
            case let error: throw error
            }
        }
        return true
    }
}

// The file can describe the holder.
extension FileLock {
    /// The first 4 KiB of the file; empty if it cannot be read.
    package func text() -> String {
        let bytes = (try? file.read(at: 0, count: 4_096)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    package func setText(_ text: String) throws(SystemError) {
        try file.truncate(to: 0)
        try file.write(Array(text.utf8), at: 0)
    }
}
