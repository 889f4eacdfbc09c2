import Synchronization

/// A file's content, with the path to show.
package struct SourceFile: Sendable {
    /// Relative to the project.
    package let path: String
    /// Arbitrary bytes; diagnostics also refer to files that are not valid UTF-8.
    package let bytes: [UInt8]
    package let lines: LineTable
    private let columns: ColumnTable
    private let utf16Columns: ColumnTable

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        lines = LineTable(bytes)
        columns = ColumnTable(bytes, in: .scalars)
        utf16Columns = ColumnTable(bytes, in: .utf16CodeUnits)
    }

    /// The unit of columns.
    package enum ColumnUnit: Sendable {
        case scalars
        case utf16CodeUnits
    }

    /// Returns the position of a byte offset; an offset beyond the file means its end.
    package func position(
        at offset: Int,
        in unit: ColumnUnit = .scalars
    ) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = lines.line(at: offset)
        let start = min(lines.range(of: line)?.lowerBound ?? 0, offset)
        let table = unit == .scalars ? columns : utf16Columns
        return SourcePosition(
            line: line,
            column: table.count(in: start..<offset, of: bytes) + 1
        )
    }

    /// Returns a line, counted from 1, without its terminator; empty outside the file.
    package func lineBytes(_ line: Int) -> ArraySlice<UInt8> {
        guard let range = lines.range(of: line) else { return [] }
        return bytes[range]
    }
}

/// All files of one run, to resolve spans.
package struct SourceCatalog: Sendable {
    /// Finds the parts of a file that must not be shown.
    package typealias Concealment = @Sendable ([UInt8], SourceID) -> [SourceSpan]

    private var files: [(path: String, bytes: [UInt8])] = []
    private var shown = ShownFiles()
    private let concealment: Concealment?

    /// In shown files, asterisks replace the spans that `concealment` finds; positions do not
    /// change.
    package init(concealment: Concealment? = nil) {
        self.concealment = concealment
    }

    /// Adds a file; the path is relative to the project and is shown to users.
    package mutating func add(path: String, bytes: [UInt8]) -> SourceID {
        if !isKnownUniquelyReferenced(&shown) { shown = ShownFiles() }
        files.append((path, bytes))
        return SourceID(index: UInt32(files.count - 1))
    }

    package func path(of source: SourceID) -> String { files[Int(source.index)].path }

    /// Returns the line of a span's start, counted from 1.
    ///
    /// Concealed text keeps its line breaks, so this does not search the file for text to conceal.
    package func line(of span: SourceSpan) -> Int {
        shown.lines(span.source) { LineTable(files[Int(span.source.index)].bytes) }
            .line(at: span.start)
    }

    /// The file in its showable form; it must have been added to this catalog.
    package subscript(source: SourceID) -> SourceFile {
        shown.file(source) {
            let (path, bytes) = files[Int(source.index)]
            let concealed = concealment?(bytes, source) ?? []
            return SourceFile(path: path, bytes: bytes.covering(concealed))
        }
    }
}

/// A cache of the files that were shown or named.
///
/// Only a few files are shown, but often. It is a class, so that copies of a catalog share it.
private final class ShownFiles: Sendable {
    private let files = Mutex<[SourceID: SourceFile]>([:])
    private let lines = Mutex<[SourceID: LineTable]>([:])

    func lines(_ source: SourceID, make: () -> LineTable) -> LineTable {
        if let known = lines.withLock({ $0[source] }) { return known }
        let table = make()
        lines.withLock { $0[source] = table }
        return table
    }

    func file(_ source: SourceID, make: () -> SourceFile) -> SourceFile {
        if let known = files.withLock({ $0[source] }) { return known }
        let file = make()
        files.withLock { $0[source] = file }
        return file
    }
}

extension [UInt8] {
    /// Replaces the spans with asterisks; line breaks and the columns of later text do not change.
    fileprivate func covering(_ spans: [SourceSpan]) -> [UInt8] {
        var bytes = self
        for span in spans {
            let place = span.start..<Swift.max(span.start, Swift.min(span.end, count))
            bytes.replaceSubrange(place, with: ConcealedText.bytes(in: bytes[place]))
        }
        return bytes
    }
}
