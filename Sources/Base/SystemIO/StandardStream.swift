import Glibc
import Synchronization

/// A stream that a process has from its start.
package enum StandardStream: CInt, Sendable {
    case input = 0
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The current width of the terminal; nil if unknown.
    package var columns: Int? {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Why standard output lacks a part of what was written to it; nil if nothing is lacking.
    package static var outputProblem: SystemError? {
        let number = outputErrorNumber.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : SystemError(number: number)
    }

    /// Writes all bytes, or as many as possible.
    ///
    /// A closed pipe ends the process, as for other tools, unless a `SignalWatch` is told of it.
    package func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count < 0 {
                let problem = SystemError.last
                if problem == .interrupted { continue }
                if problem == .wouldBlock {
                    waitUntilWritable()
                    continue
                }
                return note(problem)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for the reader of a pipe that does not block.
    private func waitUntilWritable() {
        var state = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&state, 1, -1)
    }

    private func note(_ problem: SystemError) {
        guard self == .output else { return }
        let (isFirst, _) = outputErrorNumber.compareExchange(
            expected: 0,
            desired: problem.number,
            ordering: .sequentiallyConsistent
        )
        if isFirst { passOnOutputProblem() }
    }
}

private let outputErrorNumber = Atomic<CInt>(0)
