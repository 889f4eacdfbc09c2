import Dispatch
import Glibc
import Synchronization

/// Calls a function for each SIGINT and SIGTERM, instead of ending the process.
///
/// Signals arrive through a pipe. On Linux, dispatch sources occasionally lose a signal: the main
/// thread, which waits with all signals unblocked, takes it before they read it.
///
/// There is at most one watch at a time. A class because it keeps the source alive.
package final class SignalWatch {
    private let source: (any DispatchSourceRead)?

    /// The function is called on a queue of the watch, one call at a time.
    package init(_ receive: @escaping @Sendable () -> Void) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            // Without a pipe, signals keep their default action and end the process.
            source = nil
            return
        }
        let (outlet, inlet) = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(
            fileDescriptor: outlet,
            queue: DispatchQueue(label: "signals")
        )
        source.setEventHandler {
            var byte: UInt8 = 0
            guard read(outlet, &byte, 1) == 1 else { return }
            receive()
        }
        source.setCancelHandler {
            close(outlet)
            close(inlet)
        }
        source.resume()
        self.source = source
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        signalInlet.store(inlet, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM] { signal(number, passOn) }
    }

    /// Restores the default action.
    package func cancel() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        signalInlet.store(-1, ordering: .sequentiallyConsistent)
        source?.cancel()
    }
}

/// The file descriptor to which signals are written; -1 if there is none.
private let signalInlet = Atomic<CInt>(-1)

/// The signal handler, which calls only async-signal-safe functions (POSIX, System Interfaces,
/// 2.4.3 Signal Actions).
private func passOn(_ number: CInt) {
    let problem = errno
    var byte: UInt8 = 0
    _ = write(signalInlet.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = problem
}
