package import CampaignModel

/// A list with the columns that a message uses: what is checked, stored and sent together.
package struct ListContent: Hashable, Sendable {
    package let list: RegistrationList
    /// Nil if the message uses none.
    package let columns: MessageColumns?

    package init(_ list: RegistrationList, columns: MessageColumns? = nil) {
        self.list = list
        self.columns = columns
    }

    /// The names of the columns.
    package var names: [String] { columns?.names ?? [] }
}

/// What a message would show to the rows of a list.
package struct MessageSurvey: Sendable {
    /// The content ID of the registrations with their values.
    package let id: ListID
    /// Rows without a value in a column that has no default; the columns in the message's order.
    package let missing: [MissingValues]
    /// The number of rows that use a default, by column; columns without any are omitted.
    package let defaulted: [String: Int]
    /// The largest payload on any platform.
    package let longest: Longest

    /// Rows that have no value in a column.
    package struct MissingValues: Hashable, Sendable {
        package let column: String
        package let count: Int
        /// The first such row's first line, counted from 1.
        package let line: Int
    }

    /// The row with the largest payload.
    package struct Longest: Hashable, Sendable {
        package let platform: Platform
        package let bytes: Int
        /// The row's first line, counted from 1.
        package let line: Int
    }
}

/// Surveys the rows of a list for one message.
struct MessageSurveyor {
    private let columns: MessageColumns
    /// The places of the message's columns among the values of a row.
    private let places: [Int]
    private var hasher: ListHasher
    private var missing: [(count: Int, line: Int)]
    private var defaulted: [Int]
    private var longest = MessageSurvey.Longest(platform: .android, bytes: -1, line: 0)

    /// `names`: the columns of the rows.
    init(_ columns: MessageColumns, of list: RegistrationList, in names: [String]) {
        self.columns = columns
        places = columns.names.map { name in names.firstIndex(of: name) ?? 0 }
        hasher = ListHasher(ListContent(list, columns: columns))
        missing = columns.names.map { _ in (0, 0) }
        defaulted = columns.names.map { _ in 0 }
    }

    mutating func add(_ row: ListRow) {
        var values: [String] = []
        values.reserveCapacity(places.count)
        for (number, place) in places.enumerated() {
            let value = row.values[place]
            guard value.isEmpty else {
                values.append(value)
                continue
            }
            if let standard = columns.defaults[columns.names[number]] {
                defaulted[number] += 1
                values.append(standard)
            } else {
                if missing[number].count == 0 { missing[number].line = row.line }
                missing[number].count += 1
                values.append("")
            }
        }
        hasher.add(row.registration, values: values)
        for size in columns.sizes {
            let bytes = size.bytes(with: values)
            if bytes > longest.bytes {
                longest = MessageSurvey.Longest(
                    platform: size.platform,
                    bytes: bytes,
                    line: row.line
                )
            }
        }
    }

    func finish() -> MessageSurvey {
        let counted = zip(columns.names, missing).filter { $0.1.count > 0 }
        let used = zip(columns.names, defaulted).filter { $0.1 > 0 }
        return MessageSurvey(
            id: hasher.finish(),
            missing: counted.map {
                MessageSurvey.MissingValues(column: $0.0, count: $0.1.count, line: $0.1.line)
            },
            defaulted: Dictionary(uniqueKeysWithValues: used.map { ($0.0, $0.1) }),
            longest: longest
        )
    }
}
