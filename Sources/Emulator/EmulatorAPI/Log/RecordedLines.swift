import JSON
import SystemIO

/// A line of the log and its number.
struct LogLine {
    let sequence: Int
    let bytes: [UInt8]

    /// Whether the line belongs to a project; the default project's ID is empty.
    ///
    /// Lines of other projects name them directly after the time.
    func belongs(to project: String) -> Bool {
        let mark = Array("\",\"project\":".utf8)
        // `{"seq":` with the number, and `,"time":"` with a time of at least 20 characters.
        var position = 7 + String(sequence).utf8.count + 9 + 20
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") { position += 1 }
        guard bytes.dropFirst(position).starts(with: mark) else { return project.isEmpty }
        guard !project.isEmpty else { return false }
        let name = JSONValue.string(project).compactBytes
        return bytes.dropFirst(position + mark.count).starts(with: name)
    }

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
