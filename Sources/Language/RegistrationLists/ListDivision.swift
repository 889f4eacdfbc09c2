package import CampaignModel
import FoundationEssentials

/// A list file in two parts: the rows that stay and the rows that are removed.
///
/// Lines keep their bytes and their order. Comments, empty lines and the lines above the first row
/// stay. The header line of a CSV file is in both parts, so that both are valid lists. The parts of
/// a compressed file are not compressed.
package struct ListDivision: Sendable {
    package let kept: [UInt8]
    package let removed: [UInt8]
    package let keptCount: Int
    package let removedCount: Int

    /// `directory`: The base of relative paths.
    ///
    /// - Throws: The errors of reading a list, and `.changed` if the file changes while it is read.
    package init(
        _ list: RegistrationList,
        directory: String,
        removing isRemoved: (Registration) -> Bool
    ) throws(RegistrationListError) {
        guard let path = list.onlyFile else {
            throw .unreadable(path: list.path ?? "", reason: .severalFiles)
        }
        let bytes = try Self.bytes(at: path, in: directory)
        var lines = FirstLines()
        try ListTable(list, columns: [], directory: directory).forEachRow { row in
            lines.note(row.line, isRemoved: isRemoved(row.registration))
        }
        guard try Self.bytes(at: path, in: directory) == bytes else { throw .changed(path: path) }
        var divider = ListPartitioner(bytes, isCSV: list.format == .csv)
        divider.divide(lines)
        kept = divider.kept
        removed = divider.removed
        removedCount = lines.removed.count
        keptCount = lines.count - removedCount
    }

    private static func bytes(
        at path: String,
        in directory: String
    ) throws(RegistrationListError) -> [UInt8] {
        do {
            var blocks = try FileBlocks(path: RegistrationListError.fullPath(path, in: directory))
            var bytes: [UInt8] = []
            while try blocks.append(to: &bytes) {}
            return bytes
        } catch {
            throw .unreadable(path: path, reason: error)
        }
    }
}

/// The line numbers at which rows begin.
private struct FirstLines {
    private(set) var first: Int?
    private(set) var removed: [Int] = []
    private(set) var count = 0

    mutating func note(_ line: Int, isRemoved: Bool) {
        first = first ?? line
        count += 1
        if isRemoved { removed.append(line) }
    }
}

/// Distributes the lines of a file to the two parts.
private struct ListPartitioner {
    private let bytes: [UInt8]
    private let isCSV: Bool
    private var position = 0
    private var line = 1
    private(set) var kept: [UInt8] = []
    private(set) var removed: [UInt8] = []

    init(_ bytes: [UInt8], isCSV: Bool) {
        self.bytes = bytes
        self.isCSV = isCSV
        kept.reserveCapacity(bytes.count)
    }

    mutating func divide(_ lines: FirstLines) {
        while line < lines.first ?? 1 {
            let head = takeLine()
            kept += head
            if isCSV { removed += head }
        }
        for row in lines.removed {
            while line < row { kept += takeLine() }
            removed += takeRow()
        }
        kept += bytes[position...]
    }

    /// Returns a line with its line end.
    private mutating func takeLine() -> ArraySlice<UInt8> {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        defer {
            position = end ?? bytes.count
            line += 1
        }
        return bytes[position..<(end ?? bytes.count)]
    }

    /// A CSV record continues while a quotation mark is open (RFC 4180, section 2).
    private mutating func takeRow() -> ArraySlice<UInt8> {
        let start = position
        var isOpen = false
        repeat {
            let quotes = takeLine().count { $0 == UInt8(ascii: "\"") }
            isOpen = isOpen != (quotes % 2 == 1)
        } while isCSV && isOpen && position < bytes.count
        return bytes[start..<position]
    }
}
