/// One file that was read, with the path that people are shown.
package struct SourceFile: Sendable {
    /// Relative to the project.
    package let path: String
    /// May be anything: not every file that is reported on is valid UTF-8.
    package let bytes: [UInt8]
    package let lines: LineTable

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        lines = LineTable(bytes)
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
        let before = String(decoding: bytes[start..<offset], as: UTF8.self)
        let count =
            switch unit {
            case .scalars: before.unicodeScalars.count
            case .utf16CodeUnits: before.utf16.count
            }
        return SourcePosition(line: line, column: count + 1)
    }

    /// A line, counted from 1, without its terminator; empty outside the file.
    package func lineBytes(_ line: Int) -> ArraySlice<UInt8> {
        guard let range = lines.range(of: line) else { return [] }
        return bytes[range]
    }
}

/// All files of one run, so that a span can be shown.
package struct SourceCatalog: Sendable {
    private var files: [SourceFile] = []

    package init() {}

    /// The path is what people are shown, relative to the project.
    package mutating func add(path: String, bytes: [UInt8]) -> SourceID {
        files.append(SourceFile(path: path, bytes: bytes))
        return SourceID(index: UInt32(files.count - 1))
    }

    /// Makes stretches of a file unreadable wherever they are shown; places stay as they are, and
    /// so do the columns of what follows.
    package mutating func conceal(_ spans: [SourceSpan], in source: SourceID) {
        guard !spans.isEmpty else { return }
        let file = self[source]
        var bytes = file.bytes
        for span in spans {
            let place = span.start..<max(span.start, min(span.end, bytes.count))
            bytes.replaceSubrange(place, with: ConcealedText.bytes(in: bytes[place]))
        }
        files[Int(source.index)] = SourceFile(path: file.path, bytes: bytes)
    }

    /// The file must have been added to this catalog.
    package subscript(source: SourceID) -> SourceFile {
        files[Int(source.index)]
    }
}
