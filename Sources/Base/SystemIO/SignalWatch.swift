import Dispatch
import Glibc
import Synchronization

/// What asks a process to end.
package enum EndRequest: Hashable, Sendable {
    /// SIGINT: Ctrl-C.
    case interrupt
    /// SIGTERM.
    case termination
    /// SIGHUP: the terminal was closed.
    case hangup
    /// Standard output cannot be written, or its reader is gone.
    case unwritableOutput(SystemError)
}

/// Calls a function for each request to end, instead of ending the process.
///
/// Signals arrive through a pipe. On Linux, dispatch sources occasionally lose a signal: the main
/// thread, which waits with all signals unblocked, takes it before they read it. A signal that the
/// parent process ignores, as `nohup` does with SIGHUP, stays ignored.
///
/// There is at most one watch at a time. A class because it keeps the source alive.
package final class SignalWatch {
    private let source: (any DispatchSourceRead)?
    /// The signals whose default action is replaced.
    private let watched: [CInt]

    /// The function is called on a queue of the watch, one call at a time.
    package init(_ receive: @escaping @Sendable (EndRequest) -> Void) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            // Without a pipe, signals keep their default action and end the process.
            (source, watched) = (nil, [])
            return
        }
        let (outlet, inlet) = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(
            fileDescriptor: outlet,
            queue: DispatchQueue(label: "signals")
        )
        source.setEventHandler {
            var byte: UInt8 = 0
            guard read(outlet, &byte, 1) == 1, let request = EndRequest(byte: byte) else { return }
            receive(request)
        }
        source.setCancelHandler {
            close(outlet)
            close(inlet)
        }
        source.resume()
        self.source = source
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        requestInlet.store(inlet, ordering: .sequentiallyConsistent)
        watched = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
        for number in watched { signal(number, passOn) }
        // Writing to a closed pipe then fails instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        if StandardStream.outputProblem != nil { passOnOutputProblem() }
    }

    /// Restores the default action of signals; a closed pipe stays an error of writing.
    package func cancel() {
        for number in watched { signal(number, SIG_DFL) }
        requestInlet.store(-1, ordering: .sequentiallyConsistent)
        source?.cancel()
    }
}

extension EndRequest {
    /// `byte`: a signal's number, or 0 for standard output.
    fileprivate init?(byte: UInt8) {
        switch CInt(byte) {
        case SIGINT: self = .interrupt
        case SIGTERM: self = .termination
        case SIGHUP: self = .hangup
        case 0: self = .unwritableOutput(StandardStream.outputProblem ?? .inputOutput)
        default: return nil
        }
    }
}

/// The file descriptor to which signals' numbers are written; -1 if there is none.
private let requestInlet = Atomic<CInt>(-1)

private func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is the address 1.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
}

/// The signal handler, which calls only async-signal-safe functions (POSIX, System Interfaces,
/// 2.4.3 Signal Actions).
private func passOn(_ number: CInt) {
    let problem = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(requestInlet.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = problem
}

/// Reports to the current watch, if there is one, that standard output cannot be written.
func passOnOutputProblem() {
    guard requestInlet.load(ordering: .sequentiallyConsistent) >= 0 else { return }
    passOn(0)
}
