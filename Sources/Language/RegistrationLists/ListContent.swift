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

    /// The names of the columns that are stored.
    package var names: [String] { columns?.storedNames ?? [] }
}

/// What a message would show to the rows of a list.
package struct MessageSurvey: Sendable {
    /// The content ID of the registrations with their values.
    package let id: ListID
    /// Rows without a value in a column that has no default; the columns in the message's order.
    package let missing: [MissingValues]
    /// The number of rows that use a default, by column; columns without any are omitted.
    package let defaulted: [String: Int]
    /// The largest payload of each text, in the order of `MessageColumns.allTexts`; nil if no row gets
    /// it.
    ///
    /// Without `locales` and variants, there is one text.
    package let longestOfTexts: [Longest?]
    /// How the rows are divided among the texts; nil if all rows get the campaign's own.
    package let texts: RowTexts?
    /// When each row gets the message; nil if all get it together.
    package let times: RowTimes?
    /// The place of each row in a rollout, in the order of the list; nil without one.
    package let places: [RolloutPlace]?
    /// Rows without the public key with which their message must be encrypted; the column is a key of
    /// the list's description.
    package let withoutKey: MissingValues?

    /// Rows that have no value in a column.
    package struct MissingValues: Hashable, Sendable {
        package let column: String
        package let count: Int
        /// The first such row's first line, counted from 1.
        package let line: Int
        /// The row's file; nil unless the list is a set.
        package let path: String?
    }

    /// The row with the largest payload.
    package struct Longest: Hashable, Sendable {
        package let platform: Platform
        package let bytes: Int
        /// The row's first line, counted from 1.
        package let line: Int
        /// The row's file; nil unless the list is a set.
        package let path: String?
    }

    /// The key of a list's description that names the column of public keys.
    package static let keyColumn = "public_key"

    /// The largest payload of any text on any platform; nil if no row gets a text.
    package var longest: Longest? {
        longestOfTexts.compactMap(\.self).max { $0.bytes < $1.bytes }
    }

    /// Whether the message can be sent to every row.
    package var isComplete: Bool {
        missing.isEmpty && withoutKey == nil && texts?.uncovered.isEmpty != false
            && times?.isValid != false
    }
}

/// Surveys the rows of a list for one message.
struct MessageSurveyor {
    private let columns: MessageColumns
    private var resolver: RowResolver
    private var hasher: ListHasher
    private var missing: [(count: Int, line: Int, path: String?)]
    private var defaulted: [Int]
    private var longest: [MessageSurvey.Longest?]
    private var texts: RowTextCounter?
    private var packer: RowPacker?
    private var times: RowTimes?
    private var places: [RolloutPlace]?
    private var withoutKey: MessageSurvey.MissingValues?

    /// Begins with no row.
    ///
    /// `names`: the columns of the rows. `keeper`: gets the rows.
    init(
        _ columns: MessageColumns,
        of list: RegistrationList,
        in names: [String],
        keeper: (any RowKeeper)?
    ) {
        self.columns = columns
        packer = keeper.map { RowPacker(for: $0, columns: columns.storedNames.count) }
        resolver = RowResolver(columns, in: names)
        hasher = ListHasher(ListContent(list, columns: columns))
        missing = columns.names.map { _ in (0, 0, nil) }
        defaulted = columns.names.map { _ in 0 }
        longest = Array(repeating: nil, count: columns.textKeys.count)
        texts = columns.textColumn.map { _ in RowTextCounter(texts: columns.textKeys.count) }
        times = columns.times.map { _ in RowTimes() }
        places = columns.rollout.map { _ in [] }
    }

    mutating func add(_ row: ListRow, with fingerprint: Fingerprint) {
        let resolved = resolver.resolve(row)
        for number in resolved.missing {
            if missing[number].count == 0 {
                missing[number].line = row.line
                missing[number].path = row.path
            }
            missing[number].count += 1
        }
        if resolved.lacksKey {
            withoutKey = MessageSurvey.MissingValues(
                column: MessageSurvey.keyColumn,
                count: (withoutKey?.count ?? 0) + 1,
                line: withoutKey?.line ?? row.line,
                path: withoutKey == nil ? row.path : withoutKey?.path
            )
        }
        for number in resolved.defaulted { defaulted[number] += 1 }
        if let place = resolved.place { places?.append(place) }
        times?.add(resolver.time(of: row), line: row.line, path: row.path)
        hasher.add(row.registration, with: fingerprint, values: resolved.values)
        packer?.add(RegistrationRow(row.registration, values: resolved.values))
        if let text = resolved.text {
            texts?.add(text)
            measure(resolved.values, of: text, in: row)
        } else if resolved.isHeldOut {
            texts?.addHeldOut()
        } else {
            texts?.addUncovered(resolver.locale(of: row), in: row)
        }
    }

    private mutating func measure(_ values: [String], of text: Int, in row: ListRow) {
        for size in columns.allTexts?[text].sizes ?? columns.sizes {
            let bytes = size.bytes(with: values)
            guard bytes > longest[text]?.bytes ?? -1 else { continue }
            longest[text] = MessageSurvey.Longest(
                platform: size.platform,
                bytes: bytes,
                line: row.line,
                path: row.path
            )
        }
    }

    /// `digest`: that of the lists of a set; nil for another list.
    mutating func finish(covering digest: ListID?) -> MessageSurvey {
        packer?.finish()
        let counted = zip(columns.names, missing).filter { $0.1.count > 0 }
        let used = zip(columns.names, defaulted).filter { $0.1 > 0 }
        return MessageSurvey(
            id: hasher.finish(covering: digest),
            missing: counted.map {
                MessageSurvey.MissingValues(
                    column: $0.0,
                    count: $0.1.count,
                    line: $0.1.line,
                    path: $0.1.path
                )
            },
            defaulted: Dictionary(uniqueKeysWithValues: used.map { ($0.0, $0.1) }),
            longestOfTexts: longest,
            texts: texts?.finish(),
            times: times,
            places: places,
            withoutKey: withoutKey
        )
    }
}
