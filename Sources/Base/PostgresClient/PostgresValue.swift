package import FoundationEssentials

/// A parameter of a statement, with its type on the server.
package enum PostgresValue: Hashable, Sendable {
    case null
    /// `bigint`
    case integer(Int64)
    /// `double precision`
    case real(Double)
    case text(String)
    /// `bytea`
    case bytes(Data)
    /// `bigint[]`
    case integers([Int64])
    /// `text[]`
    case texts([String])
}

extension PostgresValue {
    /// The numbers of the types (PostgreSQL, `pg_type.dat`).
    enum TypeID {
        static let any: UInt32 = 0
        static let boolean: UInt32 = 16
        static let bytes: UInt32 = 17
        static let integer: UInt32 = 20
        static let smallInteger: UInt32 = 21
        static let mediumInteger: UInt32 = 23
        static let text: UInt32 = 25
        static let real: UInt32 = 701
        static let texts: UInt32 = 1_009
        static let integers: UInt32 = 1_016
    }

    var type: UInt32 {
        switch self {
        case .null: TypeID.any
        case .integer: TypeID.integer
        case .real: TypeID.real
        case .text: TypeID.text
        case .bytes: TypeID.bytes
        case .integers: TypeID.integers
        case .texts: TypeID.texts
        }
    }

    /// The value in the server's binary format, whose numbers have the highest byte first; nil for
    /// NULL.
    package var encoded: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): number.bigEndianBytes
        case .real(let number): number.bitPattern.bigEndianBytes
        case .text(let text): Self.encoded(text)
        case .bytes(let data): Array(data)
        case .integers(let numbers):
            Self.array(of: TypeID.integer, numbers.map(\.bigEndianBytes))
        case .texts(let texts): Self.array(of: TypeID.text, texts.map(Self.encoded))
        }
    }

    /// A text of the server cannot contain the character NUL.
    private static func encoded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.contains(0) else { return bytes }
        return bytes.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] }
    }

    /// One dimension whose first index is 1, without NULL.
    private static func array(of type: UInt32, _ elements: [[UInt8]]) -> [UInt8] {
        let dimensions: Int32 = elements.isEmpty ? 0 : 1
        var bytes = dimensions.bigEndianBytes + Int32(0).bigEndianBytes + type.bigEndianBytes
        if elements.isEmpty { return bytes }
        bytes += Int32(elements.count).bigEndianBytes + Int32(1).bigEndianBytes
        for element in elements { bytes += Int32(element.count).bigEndianBytes + element }
        return bytes
    }
}

extension FixedWidthInteger {
    /// The highest byte first.
    var bigEndianBytes: [UInt8] {
        stride(from: bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    /// Nil unless there are as many bytes as the type has.
    init?(bigEndian bytes: some Collection<UInt8>) {
        guard bytes.count * 8 == Self.bitWidth else { return nil }
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
