import CampaignModel
import SystemIO

/// The place of a registration in a block of text.
struct TextRow: Sendable {
    /// The offset of its first byte.
    let start: UInt32
    let length: UInt16
}

/// The registrations of some lines of a list.
struct TextLines: Sendable {
    private(set) var rows: [TextRow] = []
    private(set) var fingerprints: [Fingerprint] = []
    /// The number of each registration's line, counted from 0.
    private(set) var numbers: [UInt32] = []
    /// The number of all lines.
    private(set) var count: UInt32 = 0
    /// Whether a line is neither a registration, nor empty, nor a comment in UTF-8.
    private(set) var isBroken = false

    /// Reads the lines in a range of a block; the last line may lack its line feed.
    init(_ range: Range<Int>, of bytes: [UInt8], fingerprinter: Fingerprinter) {
        let expected = range.count / 100
        rows.reserveCapacity(expected)
        fingerprints.reserveCapacity(expected)
        numbers.reserveCapacity(expected)
        bytes.withUnsafeBytes { all in
            let block = UnsafeRawBufferPointer(rebasing: all[..<range.upperBound])
            var start = range.lowerBound
            while start < block.count {
                let end = block.offset(of: UInt8(ascii: "\n"), from: start) ?? block.count
                add(start..<end, of: block, fingerprinter: fingerprinter)
                count += 1
                start = end + 1
            }
        }
    }

    private mutating func add(
        _ line: Range<Int>,
        of block: UnsafeRawBufferPointer,
        fingerprinter: Fingerprinter
    ) {
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
            rows.append(TextRow(start: UInt32(line.lowerBound), length: UInt16(bytes.count)))
            fingerprints.append(fingerprinter.fingerprint(of: bytes))
            numbers.append(count)
        } else {
            isBroken = true
        }
    }
}
