import Applying
import Dispatch
import Synchronization

import Glibc

/// Ctrl-C and SIGTERM: the first stops sending and lets the run end in order, the second ends the
/// process at once.
///
/// The ledger tells the truth either way.
///
/// The signals come through a pipe. Dispatch's own sources lose one now and then on Linux: the
/// main thread, which waits with all signals let in, takes it before they read it.
///
/// A class because it keeps the source alive.
final class InterruptHandler {
    private let source: (any DispatchSourceRead)?

    init(_ stop: StopSignal, says message: String) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            // Without it a signal does what it does to any process: it ends it.
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

/// Where signals are written to; -1 for nowhere.
private let signalInlet = Atomic<Int32>(-1)

/// Only what a signal's handler may do (POSIX, System Interfaces, 2.4.3 Signal Actions).
private func passOn(_ number: Int32) {
    let problem = errno
    var byte: UInt8 = 0
    _ = write(signalInlet.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = problem
}
