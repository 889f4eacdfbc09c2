import Synchronization

/// One file that was read, with the path that people are shown.
package struct SourceFile: Sendable {
    /// Relative to the project.
    package let path: String
    /// May be anything: not every file that is reported on is valid UTF-8.
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

    /// What the columns of a line are counted in.
    package enum ColumnUnit: Sendable {
        case scalars
        case utf16CodeUnits
    }

    /// The place of a byte offset; an offset beyond the file is the end of the file.
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

    /// A line, counted from 1, without its terminator; empty outside the file.
    package func lineBytes(_ line: Int) -> ArraySlice<UInt8> {
        guard let range = lines.range(of: line) else { return [] }
        return bytes[range]
    }
}

/// All files of one run, so that a span can be shown.
package struct SourceCatalog: Sendable {
    /// Finds what of a file may not be shown.
    package typealias Concealment = @Sendable ([UInt8], SourceID) -> [SourceSpan]

    private var files: [(path: String, bytes: [UInt8])] = []
    private var shown = ShownFiles()
    private let concealment: Concealment?

    /// What `concealment` finds is unreadable wherever files are shown; places stay as they are.
    package init(concealment: Concealment? = nil) {
        self.concealment = concealment
    }

    /// The path is what people are shown, relative to the project.
    package mutating func add(path: String, bytes: [UInt8]) -> SourceID {
        if !isKnownUniquelyReferenced(&shown) { shown = ShownFiles() }
        files.append((path, bytes))
        return SourceID(index: UInt32(files.count - 1))
    }

    package func path(of source: SourceID) -> String { files[Int(source.index)].path }

    /// The file as it may be shown; it must have been added to this catalog.
    package subscript(source: SourceID) -> SourceFile {
        shown.file(source) {
            let (path, bytes) = files[Int(source.index)]
            let concealed = concealment?(bytes, source) ?? []
            return SourceFile(path: path, bytes: bytes.covering(concealed))
        }
    }
}

/// Files that were shown before: few are, and those often.
///
/// A class, because all copies of a catalog may share them.
private final class ShownFiles: Sendable {
    private let files = Mutex<[SourceID: SourceFile]>([:])

    func file(_ source: SourceID, _ make: () -> SourceFile) -> SourceFile {
        if let known = files.withLock({ $0[source] }) { return known }
        let file = make()
        files.withLock { $0[source] = file }
        return file
    }
}

extension [UInt8] {
    /// With asterisks in place of the spans; line breaks and the columns of what follows stay.
    fileprivate func covering(_ spans: [SourceSpan]) -> [UInt8] {
        var bytes = self
        for span in spans {
            let place = span.start..<Swift.max(span.start, Swift.min(span.end, count))
            bytes.replaceSubrange(place, with: ConcealedText.bytes(in: bytes[place]))
        }
        return bytes
    }
}
