/// Consecutive rows of a list packed into one value, at most 1,000.
///
/// The format and the number of rows, then the packed registrations, then the columns. A column has
/// its different values and, for each row, the number of its value. All numbers and lengths have
/// seven bits per byte, the lowest first (LEB128).
package struct PackedRows: Sendable {
    package static let maximumCount = 1_000
    /// Differs from the first byte of encrypted values.
    private static let format: UInt8 = 3

    package let count: Int
    package let bytes: [UInt8]

    /// Packs rows with this number of values each.
    package init(_ rows: some Collection<RegistrationRow>, columns: Int) {
        var bytes = Self.head(count: rows.count)
        for row in rows { PackedRegistration.append(row.registration, to: &bytes) }
        for column in 0..<columns {
            Self.appendColumn(rows.lazy.map { $0.values[column] }, to: &bytes)
        }
        count = rows.count
        self.bytes = bytes
    }

    /// Packs registrations without values.
    ///
    /// `length`: about how long all of them are. `append`: appends the packed registrations.
    package init(count: Int, length: Int, appending append: (inout [UInt8]) -> Void) {
        var bytes = Self.head(count: count)
        bytes.reserveCapacity(length)
        append(&bytes)
        self.count = count
        self.bytes = bytes
    }

    private static func head(count: Int) -> [UInt8] {
        var head = [format]
        append(count, to: &head)
        return head
    }

    private static func appendColumn(_ values: some Sequence<String>, to bytes: inout [UInt8]) {
        var numbers: [String: Int] = [:]
        var different: [String] = []
        var rows: [Int] = []
        for value in values {
            // Equal strings may consist of different bytes: Swift compares normalized characters.
            let known = numbers[value].flatMap { number in
                different[number].utf8.elementsEqual(value.utf8) ? number : nil
            }
            let number = known ?? different.count
            if number == different.count {
                numbers[value] = number
                different.append(value)
            }
            rows.append(number)
        }
        append(different.count, to: &bytes)
        for value in different {
            append(value.utf8.count, to: &bytes)
            bytes.append(contentsOf: value.utf8)
        }
        for row in rows { append(row, to: &bytes) }
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

// MARK: - Reading

extension PackedRows {
    /// Returns the registrations of rows in a range, which may exceed both ends; nil if the bytes
    /// are damaged.
    package static func registrations(
        _ bytes: UnsafeRawBufferPointer,
        range: Range<Int>
    ) -> [Registration]? {
        var start = 0
        guard let count = count(bytes, from: &start) else { return nil }
        return registrations(bytes, range: range.clamped(to: 0..<count), from: &start)
    }

    /// Returns the rows in a range, which may exceed both ends; nil if the bytes are damaged.
    ///
    /// `columns`: the number of values of each row.
    package static func rows(
        _ bytes: UnsafeRawBufferPointer,
        range: Range<Int>,
        columns: Int
    ) -> [RegistrationRow]? {
        guard columns > 0 else {
            return registrations(bytes, range: range)?.map { RegistrationRow($0) }
        }
        var start = 0
        guard let count = count(bytes, from: &start),
            let all = registrations(bytes, range: 0..<count, from: &start)
        else { return nil }
        var values: [[String]] = []
        for _ in 0..<columns {
            guard let column = column(bytes, rows: count, from: &start) else { return nil }
            values.append(column)
        }
        guard start == bytes.count else { return nil }
        return (0..<count).clamped(to: range).map { row in
            RegistrationRow(all[row], values: values.map { $0[row] })
        }
    }

    private static func count(_ bytes: UnsafeRawBufferPointer, from start: inout Int) -> Int? {
        guard bytes.first == format else { return nil }
        start = 1
        guard let count = number(bytes, from: &start), count <= maximumCount else { return nil }
        return count
    }

    /// `start`: the first entry; afterwards, the byte after the last one that was read.
    private static func registrations(
        _ bytes: UnsafeRawBufferPointer,
        range: Range<Int>,
        from start: inout Int
    ) -> [Registration]? {
        var registrations: [Registration] = []
        registrations.reserveCapacity(range.count)
        for row in 0..<range.upperBound {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let length = PackedRegistration.length(rest) else { return nil }
            if row >= range.lowerBound {
                let entry = UnsafeRawBufferPointer(rebasing: rest[..<length])
                guard let registration = PackedRegistration.registration(entry) else { return nil }
                registrations.append(registration)
            }
            start += length
        }
        return registrations
    }

    private static func column(
        _ bytes: UnsafeRawBufferPointer,
        rows: Int,
        from start: inout Int
    ) -> [String]? {
        guard let count = number(bytes, from: &start), count <= rows else { return nil }
        var different: [String] = []
        for _ in 0..<count {
            guard let length = number(bytes, from: &start), length <= bytes.count - start
            else { return nil }
            different.append(String(decoding: bytes[start..<start + length], as: UTF8.self))
            start += length
        }
        var column: [String] = []
        column.reserveCapacity(rows)
        for _ in 0..<rows {
            guard let number = number(bytes, from: &start), number < count else { return nil }
            column.append(different[number])
        }
        return column
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, from start: inout Int) -> Int? {
        var (number, shift) = (0, 0)
        while start < bytes.count, shift < 56 {
            let byte = bytes[start]
            start += 1
            number |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
        return nil
    }
}
