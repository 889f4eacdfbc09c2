import JSON

import Glibc

/// A line of the log and its number.
struct LogLine {
    let sequence: Int
    let bytes: [UInt8]

    /// What the line is as JSON; the request's body lies deeper in it than it did in the request.
    var value: JSONValue {
        JSONValue(parsing: bytes, depthLimit: JSONValue.depthLimit + 2) ?? .null
    }
}

/// The log as far as it was written at one moment: nothing in that ever changes.
///
/// A class because it owns a descriptor.
final class RecordedLines: Sendable {
    private let descriptor: Int32
    private let index: LineIndex
    private let end: Int

    /// Nil where there are no descriptors left.
    init?(of descriptor: Int32, index: LineIndex, end: Int) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        self.index = index
        self.end = end
        guard self.descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The number of the last one.
    var last: Int { index.count }

    /// Hands on the lines after a number until `body` says false; false where the log can't be
    /// read.
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
