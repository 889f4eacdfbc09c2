import CampaignModel
import SystemIO

/// The place of a registration in a block of text.
struct TextRow: Sendable {
    /// The offset of its first byte.
    let start: UInt32
    let length: UInt16

    func text(in block: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: block[Int(start)..<Int(start) + Int(length)])
    }
}

/// The registrations of some lines of a list.
struct TextLines: Sendable {
    private(set) var rows: [TextRow] = []
    private(set) var fingerprints: [Fingerprint] = []
    /// The rows, for storing them.
    private(set) var packed: [PackedRows] = []
    /// Whether a line is neither a registration, nor empty, nor a comment in UTF-8.
    private(set) var isBroken = false

    /// The last line may lack its line feed.
    ///
    /// `keepsRows`: whether the rows are packed.
    init(of bytes: [UInt8], fingerprinter: Fingerprinter, keepsRows: Bool) {
        let expected = bytes.count / 100
        rows.reserveCapacity(expected)
        bytes.withUnsafeBytes { block in
            let isPlain = block.hasOnlyPlainBytes
            var start = 0
            while start < block.count {
                let end = block.offset(of: UInt8(ascii: "\n"), from: start) ?? block.count
                if isPlain {
                    addPlain(start..<end)
                } else {
                    add(start..<end, of: block)
                }
                start = end + 1
            }
            fingerprints = fingerprinter.fingerprints(of: rows, in: block)
            if keepsRows, !isBroken { pack(block) }
        }
    }

    private mutating func pack(_ block: UnsafeRawBufferPointer) {
        let bytes = block.bindMemory(to: UInt8.self)
        for first in stride(from: 0, to: rows.count, by: PackedRows.maximumCount) {
            let rows = rows[first..<min(first + PackedRows.maximumCount, rows.count)]
            let length = rows.reduce(0) { $0 + Int($1.length) }
            packed.append(
                PackedRows(count: rows.count, length: length) { packed in
                    for row in rows {
                        let start = Int(row.start)
                        PackedRegistration.append(
                            UnsafeBufferPointer(rebasing: bytes[start..<start + Int(row.length)]),
                            to: &packed
                        )
                    }
                }
            )
        }
    }

    /// Adds a line without bytes that need a look.
    private mutating func addPlain(_ line: Range<Int>) {
        guard !line.isEmpty else { return }
        guard line.count <= Registration.maximumLength else {
            isBroken = true
            return
        }
        rows.append(TextRow(start: UInt32(line.lowerBound), length: UInt16(line.count)))
    }

    private mutating func add(_ line: Range<Int>, of block: UnsafeRawBufferPointer) {
        var end = line.upperBound
        if end > line.lowerBound, block[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        guard end > line.lowerBound else { return }
        let bytes = UnsafeRawBufferPointer(rebasing: block[line.lowerBound..<end])
        if bytes[0] == UInt8(ascii: "#") {
            // The reader of lines examines a comment that is long or not plain ASCII.
            let isPlain = bytes.allSatisfy { $0 > 0 && $0 < 0x80 }
            let isLong = bytes.count > RegistrationListError.BrokenLine.maximumLength
            if isLong || !isPlain { isBroken = true }
        } else if Registration.isToken(bytes) {
            addPlain(line.lowerBound..<end)
        } else {
            isBroken = true
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are line feeds or from `-` to `~` without `;` and `\`, as in most lists.
    ///
    /// An explicit loop without branches, which the compiler turns into vector instructions.
    fileprivate var hasOnlyPlainBytes: Bool {
        var found = UInt8(0)
        for byte in self {
            let isOutside: UInt8 = byte &- UInt8(ascii: "-") > 0x51 ? 1 : 0
            let isInLine: UInt8 = byte == UInt8(ascii: "\n") ? 0 : 1
            let isSemicolon: UInt8 = byte == UInt8(ascii: ";") ? 1 : 0
            let isBackslash: UInt8 = byte == UInt8(ascii: "\\") ? 1 : 0
            found |= isOutside & isInLine | isSemicolon | isBackslash
        }
        return found == 0
    }
}
