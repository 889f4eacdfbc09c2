import CampaignModel
import FoundationEssentials
import State

/// Rows of a list packed into one value, at most 1,000.
///
/// The registrations come first, as text with one per line. If the list has columns, a zero byte
/// and the columns follow. A column has its different values and, for each row, the number of its
/// value. All numbers and lengths have seven bits per byte, the lowest first (LEB128).
enum ListChunk {
    static let size = 1_000

    private static let separator = UInt8(ascii: "\n")
    /// It is not part of any registration.
    private static let columnMark: UInt8 = 0

    static func split(_ rows: ArraySlice<RegistrationRow>) -> [ArraySlice<RegistrationRow>] {
        stride(from: rows.startIndex, to: rows.endIndex, by: size).map {
            rows[$0..<min($0 + size, rows.endIndex)]
        }
    }

    /// `columns`: the number of values of each row.
    static func pack(_ rows: ArraySlice<RegistrationRow>, columns: Int) -> Data {
        var data = Data()
        for row in rows {
            data.append(contentsOf: row.registration.token.utf8)
            data.append(separator)
        }
        guard columns > 0 else { return data }
        data.append(columnMark)
        for column in 0..<columns { appendColumn(rows.lazy.map { $0.values[column] }, to: &data) }
        return data
    }

    private static func appendColumn(_ values: some Sequence<String>, to data: inout Data) {
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
        append(different.count, to: &data)
        for value in different {
            append(value.utf8.count, to: &data)
            data.append(contentsOf: value.utf8)
        }
        for row in rows { append(row, to: &data) }
    }

    private static func append(_ number: Int, to data: inout Data) {
        var rest = number
        while rest >= 0x80 {
            data.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    /// Returns the registrations in a range, which may exceed both ends; nil if a line is not a
    /// registration.
    static func registrations(_ data: Data, range: Range<Int>) -> [Registration]? {
        data.withUnsafeBytes {
            var start = 0
            return registrations($0.bindMemory(to: UInt8.self), range: range, from: &start)
        }
    }

    /// Returns the rows in a range, which may exceed both ends; nil if they are damaged.
    ///
    /// `columns`: the number of values of each row.
    static func rows(_ data: Data, range: Range<Int>, columns: Int) -> [RegistrationRow]? {
        guard columns > 0 else {
            return registrations(data, range: range)?.map { RegistrationRow($0) }
        }
        return data.withUnsafeBytes { raw -> [RegistrationRow]? in
            let bytes = raw.bindMemory(to: UInt8.self)
            var start = 0
            guard let all = registrations(bytes, range: 0..<size, from: &start),
                start < bytes.count, bytes[start] == columnMark
            else { return nil }
            start += 1
            var values: [[String]] = []
            for _ in 0..<columns {
                guard let column = column(bytes, rows: all.count, from: &start) else { return nil }
                values.append(column)
            }
            guard start == bytes.count else { return nil }
            return all.indices.clamped(to: range).map { row in
                RegistrationRow(all[row], values: values.map { $0[row] })
            }
        }
    }

    /// `start`: the first byte; afterwards, the byte after the last line that was read.
    private static func registrations(
        _ bytes: UnsafeBufferPointer<UInt8>,
        range: Range<Int>,
        from start: inout Int
    ) -> [Registration]? {
        var registrations: [Registration] = []
        var line = 0
        while line < range.upperBound, start < bytes.count, bytes[start] != columnMark,
            let end = bytes[start...].firstIndex(of: separator)
        {
            if line >= range.lowerBound {
                let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
                guard let registration = Registration(utf8: text) else { return nil }
                registrations.append(registration)
            }
            (line, start) = (line + 1, end + 1)
        }
        return registrations
    }

    private static func column(
        _ bytes: UnsafeBufferPointer<UInt8>,
        rows: Int,
        from start: inout Int
    ) -> [String]? {
        guard let count = number(bytes, from: &start), count <= rows else { return nil }
        var different: [String] = []
        for _ in 0..<count {
            guard let length = number(bytes, from: &start), length <= bytes.count - start
            else { return nil }
            let text = UnsafeBufferPointer(rebasing: bytes[start..<start + length])
            different.append(String(decoding: text, as: UTF8.self))
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

    private static func number(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: inout Int
    ) -> Int? {
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
