/// Writes one record of a CSV file (RFC 4180).
package struct CSVLine {
    private var bytes: [UInt8] = []
    private var count = 0

    package init() {}

    /// Appends a field, in quotation marks if it needs them.
    package mutating func append(_ field: [UInt8]) {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        count += 1
        guard field.contains(where: Self.isSpecial) else {
            bytes += field
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in field {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns the record with its line end, and begins the next one.
    package mutating func finish() -> [UInt8] {
        // A line without any byte is no record.
        if count == 1, bytes.isEmpty { bytes = Array("\"\"".utf8) }
        defer {
            bytes = []
            count = 0
        }
        return bytes + [UInt8(ascii: "\n")]
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
