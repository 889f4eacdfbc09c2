package import FoundationEssentials
package import State

/// Consecutive people of a record, packed into one value.
///
/// 8 bytes per row of its registration, then 8 of its person if persons have several registrations,
/// then 2 of the number of its zone if rows name zones; all numbers with the lowest byte first.
package struct PeopleChunk {
    /// The maximum number of rows.
    package static let size = 16_384

    package let hasIdentities: Bool
    package let hasZones: Bool

    package init(hasIdentities: Bool, hasZones: Bool) {
        self.hasIdentities = hasIdentities
        self.hasZones = hasZones
    }

    package init(of people: ListPeople) {
        self.init(
            hasIdentities: people.identities != nil,
            hasZones: people.zoneNumbers != nil
        )
    }

    private var rowSize: Int { 8 + (hasIdentities ? 8 : 0) + (hasZones ? 2 : 0) }

    package func pack(_ people: ListPeople, rows: Range<Int>) -> Data {
        var data = Data(capacity: rows.count * rowSize)
        Self.append(people.registrations[rows], to: &data)
        if let identities = people.identities { Self.append(identities[rows], to: &data) }
        if let numbers = people.zoneNumbers { Self.append(numbers[rows], to: &data) }
        return data
    }

    /// Appends the rows of a chunk; returns false if it is damaged.
    package func unpack(_ data: Data, into columns: inout PeopleRows) -> Bool {
        guard data.count.isMultiple(of: rowSize) else { return false }
        let count = data.count / rowSize
        data.withUnsafeBytes { bytes in
            Self.append(bytes[..<(count * 8)], to: &columns.registrations)
            var start = count * 8
            if hasIdentities {
                Self.append(bytes[start..<start + count * 8], to: &columns.identities)
                start += count * 8
            }
            if hasZones { Self.append(bytes[start...], to: &columns.zoneNumbers) }
        }
        return true
    }

    /// Appends the persons of a chunk; returns false if it is damaged.
    package func unpackKeys(_ data: Data, into keys: inout [UInt64]) -> Bool {
        guard data.count.isMultiple(of: rowSize) else { return false }
        let size = data.count / rowSize * 8
        let start = hasIdentities ? size : 0
        data.withUnsafeBytes { Self.append($0[start..<start + size], to: &keys) }
        return true
    }

    private static func append<Number: FixedWidthInteger>(
        _ numbers: ArraySlice<Number>,
        to data: inout Data
    ) {
        numbers.map(\.littleEndian).withUnsafeBytes { data.append(contentsOf: $0) }
    }

    private static func append<Number: FixedWidthInteger>(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        to numbers: inout [Number]
    ) {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        let size = MemoryLayout<Number>.size
        for offset in stride(from: 0, to: bytes.count, by: size) {
            let number = bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
            numbers.append(Number(littleEndian: number))
        }
    }
}

/// People while they are read.
package struct PeopleRows {
    package var registrations: [UInt64] = []
    package var identities: [UInt64] = []
    package var zoneNumbers: [UInt16] = []

    /// Reserves memory for this number of rows.
    package init(of chunk: PeopleChunk, count: Int) {
        registrations.reserveCapacity(count)
        if chunk.hasIdentities { identities.reserveCapacity(count) }
        if chunk.hasZones { zoneNumbers.reserveCapacity(count) }
    }
}

/// Ranges of numbers as bytes: 8 per bound, the lowest byte first.
package enum RangeBytes {
    package static func pack(_ ranges: [Range<Int>]) -> Data {
        var data = Data(capacity: ranges.count * 16)
        for bound in ranges.flatMap({ [$0.lowerBound, $0.upperBound] }) {
            withUnsafeBytes(of: Int64(bound).littleEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    /// Nil if the bytes are damaged.
    package static func unpack(_ data: Data) -> [Range<Int>]? {
        guard data.count.isMultiple(of: 16) else { return nil }
        return data.withUnsafeBytes { bytes -> [Range<Int>]? in
            var ranges: [Range<Int>] = []
            for offset in stride(from: 0, to: bytes.count, by: 16) {
                let first = bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self)
                let end = bytes.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self)
                let (lower, upper) = (Int64(littleEndian: first), Int64(littleEndian: end))
                guard 0 <= lower, lower <= upper else { return nil }
                ranges.append(Int(lower)..<Int(upper))
            }
            return ranges
        }
    }
}
