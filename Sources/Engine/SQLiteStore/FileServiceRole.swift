package import State
import StoreTables
import Synchronization
import SystemIO

/// The role of the service that sends from a file: `flock(2)` on a file next to the state.
///
/// The kernel ends it with the process; a stopped process keeps it. The file describes the holder. A
/// class, because its deinitializer gives up the role.
package final class FileServiceRole: ServiceRole {
    /// The path of the state.
    private let state: String
    private let held = Mutex<RoleFile?>(nil)

    package var interval: Duration { .milliseconds(250) }

    /// `path`: the path of the state.
    package init(ofStateAt path: String) {
        state = path
    }

    /// A service that cannot create the file has the role: it cannot write the state either, and
    /// reports that when it tries.
    package func take(for worker: Worker) -> ServiceRoleAttempt {
        do throws(SystemError) {
            let file = try RoleFile(state + ".service")
            guard try file.lock.tryLock() else {
                return .held(by: Worker(lockText: file.lock.text()))
            }
            // Without a description, messages only name less.
            try? file.lock.setText(worker.lockText)
            held.withLock { $0 = file }
        } catch {
            return .taken
        }
        return .taken
    }

    package func release() {
        held.withLock { held in
            guard let file = held else { return }
            try? file.lock.setText("")
            file.lock.unlock()
            held = nil
        }
    }
}

/// A class, because the role shares it.
private final class RoleFile: Sendable {
    let lock: FileLock

    /// - Throws: The problem with the file, also if it is not a plain file with one name, whose
    ///   content then stays as it is.
    init(_ path: String) throws(SystemError) {
        lock = try FileLock(path, options: [.refusingLinks, .withoutWaiting])
        let status = try lock.status()
        guard status.isFile, status.linkCount == 1 else { throw .notSupported }
    }

    /// Closing is not enough: a child process has the file open until it runs its program.
    deinit {
        lock.unlock()
    }
}
