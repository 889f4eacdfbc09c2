import Glibc
import JSON

/// A line of the log and its number.
struct LogLine {
    let sequence: Int
    let bytes: [UInt8]

    /// The line as JSON; the request's body is nested deeper in it than in the request.
    var value: JSONValue {
        JSONValue(parsing: bytes, depthLimit: JSONValue.depthLimit + 2) ?? .null
    }
}

/// An immutable view of the lines that the log had at one time.
///
/// A class, because it owns a file descriptor.
final class RecordedLines: Sendable {
    private let descriptor: Int32
    private let index: LineIndex
    private let end: Int

    /// Returns nil if no file descriptor is available.
    init?(of descriptor: Int32, index: LineIndex, end: Int) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        self.index = index
        self.end = end
        guard self.descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The number of the last line.
    var last: Int { index.count }

    /// Calls `body` with the lines after a number until it returns false; returns false if the log
    /// cannot be read.
    func forEach(after sequence: Int, _ body: (LogLine) -> Bool) -> Bool {
        guard sequence < last else { return true }
        let known = index.nearest(before: sequence)
        var reader = LineReader(descriptor: descriptor, from: known.start, to: end)
        do throws(EmulatorError) {
            for number in known.line + 1...last {
                guard let bytes = try reader.nextLine() else { return false }
                guard number > sequence else { continue }
                guard body(LogLine(sequence: number, bytes: bytes)) else { return true }
            }
            return true
        } catch {
            return false
        }
    }
}
