import JSON
import SystemIO

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
    private let file: File
    private let index: LineIndex
    private let end: Int

    /// Returns nil if no file descriptor is available.
    init?(of file: borrowing File, index: LineIndex, end: Int) {
        do throws(SystemError) {
            self.file = try file.duplicate()
        } catch {
            return nil
        }
        self.index = index
        self.end = end
    }

    /// The number of the last line.
    var last: Int { index.count }

    /// Calls `body` with the lines after a number until it returns false; returns false if the log
    /// cannot be read.
    func forEach(after sequence: Int, body: (LogLine) -> Bool) -> Bool {
        guard sequence < last else { return true }
        let known = index.nearest(before: sequence)
        var lines = LogLines(from: known.start, to: end)
        do throws(EmulatorError) {
            for number in known.line + 1...last {
                guard let bytes = try lines.next(in: file) else { return false }
                guard number > sequence else { continue }
                guard body(LogLine(sequence: number, bytes: bytes)) else { return true }
            }
            return true
        } catch {
            return false
        }
    }
}
