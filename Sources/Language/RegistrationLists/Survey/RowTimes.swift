import CampaignModel

/// When the rows of a list get a message, with 2 bytes per row.
package struct RowTimes: Hashable, Sendable {
    /// The place of a value that is not a time.
    ///
    /// The value is not repeated, because values of rows are personal.
    package struct Invalid: Hashable, Sendable {
        /// The row's first line, counted from 1.
        package let line: Int
        /// The row's file; nil unless the list is a set.
        package let path: String?
    }

    /// The different values as they are written, in the order of their first row.
    package private(set) var values: [String] = []
    /// The number of each row's value, from 1; 0 if the row has none.
    package private(set) var numbers: [UInt16] = []
    /// The first values that are not times.
    package private(set) var invalid: [Invalid] = []
    /// The number of all rows with such a value.
    package private(set) var invalidCount = 0
    /// Whether there are more different values than `maximumCount`.
    package private(set) var isTooMany = false
    private var known: [String: UInt16] = [:]

    package static let maximumCount = 10_000
    private static let maximumInvalid = 10

    init() {}

    package var isValid: Bool { invalid.isEmpty && !isTooMany }

    /// The number of rows without a time.
    package var emptyCount: Int { numbers.count { $0 == 0 } }

    mutating func add(_ value: String, line: Int, path: String?) {
        guard !value.isEmpty else { return numbers.append(0) }
        if let number = known[value] { return numbers.append(number) }
        numbers.append(0)
        guard RecipientTime(parsing: value) != nil else {
            invalidCount += 1
            if invalid.count < Self.maximumInvalid {
                invalid.append(Invalid(line: line, path: path))
            }
            return
        }
        guard values.count < Self.maximumCount else {
            isTooMany = true
            return
        }
        values.append(value)
        let number = UInt16(values.count)
        known[value] = number
        numbers[numbers.count - 1] = number
    }
}
