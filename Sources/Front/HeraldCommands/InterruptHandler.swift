import Applying
import Dispatch
import Glibc
import Synchronization

/// Handles Ctrl-C and SIGTERM: the first stops sending and lets the run finish its record, the
/// second ends the process at once.
///
/// The ledger is correct in both cases.
///
/// Signals arrive through a pipe. On Linux, dispatch sources occasionally lose a signal: the main
/// thread, which waits with all signals unblocked, takes it before they read it.
///
/// A class because it keeps the source alive.
final class InterruptHandler {
    private let source: (any DispatchSourceRead)?

    init(_ stop: StopSignal, says message: String) {
        var ends: [Int32] = [-1, -1]
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
            if stop.isRaised { _exit(ExitReason.interrupted.rawValue) }
            Output.message("\n\(message)\n")
            stop.raise()
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

    func cancel() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        signalInlet.store(-1, ordering: .sequentiallyConsistent)
        source?.cancel()
    }
}

/// The file descriptor to which signals are written; -1 if there is none.
private let signalInlet = Atomic<Int32>(-1)

/// The signal handler, which calls only async-signal-safe functions (POSIX, System Interfaces,
/// 2.4.3 Signal Actions).
private func passOn(_ number: Int32) {
    let problem = errno
    var byte: UInt8 = 0
    _ = write(signalInlet.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = problem
}
