import Glibc

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

    /// Writes all bytes, or as many as possible.
    ///
    /// A closed pipe ends the process, as for other tools.
    package func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return
            }
            rest = rest.dropFirst(count)
        }
    }
}
