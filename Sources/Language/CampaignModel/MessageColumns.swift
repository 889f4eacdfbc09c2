/// The columns of a list that a message uses.
package struct MessageColumns: Hashable, Sendable {
    /// The columns that placeholders of any text name, in the order of their first mention.
    package let names: [String]
    /// The values of rows that have none, by column.
    package let defaults: [String: String]
    /// The payload size of the campaign's own text on each platform.
    package let sizes: [Size]
    /// How a row chooses its text; nil if all rows get the campaign's own.
    package let texts: LocalizedTexts?
    /// The column of the time at which each row gets the message; nil if all get it together.
    package let times: String?

    package init(
        names: [String],
        defaults: [String: String],
        sizes: [Size],
        texts: LocalizedTexts? = nil,
        times: String? = nil
    ) {
        self.names = names
        self.defaults = defaults
        self.sizes = sizes
        self.texts = texts
        self.times = times
    }

    /// The columns that are read: those of placeholders, and those of the times and the locales.
    package var readNames: [String] {
        var all = names
        for name in [times, texts?.column].compactMap(\.self) where !all.contains(name) {
            all.append(name)
        }
        return all
    }

    /// The columns that are stored: those of placeholders, the time, and the key of `locales` that
    /// covers the row.
    package var storedNames: [String] {
        names + (times == nil ? [] : [Self.timeColumn]) + (texts == nil ? [] : [Self.keyColumn])
    }

    /// The stored column of times; no placeholder can name it.
    package static let timeColumn = "{time}"

    /// The column of the key of `locales`; empty in rows that get the campaign's own text.
    ///
    /// No placeholder can name it, because it contains a brace.
    package static let keyColumn = "{locale}"

    /// The payload size on a platform, which depends on the row.
    package struct Size: Hashable, Sendable {
        package let platform: Platform
        /// The bytes of keys and texts without the values.
        package let literals: Int
        /// How often each column occurs, in the order of `names`.
        package let uses: [Int]

        package init(platform: Platform, literals: Int, uses: [Int]) {
            self.platform = platform
            self.literals = literals
            self.uses = uses
        }

        /// Returns the payload size of a row with these values.
        package func bytes(with values: [String]) -> Int {
            zip(uses, values).reduce(literals) { $0 + $1.0 * $1.1.utf8.count }
        }
    }
}

/// The texts of a campaign with `locales`, and how a row of the list chooses one.
package struct LocalizedTexts: Hashable, Sendable {
    /// One text and the columns that it contains.
    package struct Text: Hashable, Sendable {
        /// The key of `locales`; nil for the campaign's own text.
        package let locale: Locale?
        /// Whether a placeholder names each column, in the order of `MessageColumns.names`.
        package let uses: [Bool]
        /// The payload size on each platform.
        package let sizes: [MessageColumns.Size]

        package init(locale: Locale?, uses: [Bool], sizes: [MessageColumns.Size]) {
            self.locale = locale
            self.uses = uses
            self.sizes = sizes
        }
    }

    /// The column of the recipients' locales.
    package let column: String
    package let lookup: LocaleLookup
    /// The campaign's own text, then those of `locales` in the order of the file.
    package let all: [Text]

    package init(column: String, lookup: LocaleLookup, all: [Text]) {
        self.column = column
        self.lookup = lookup
        self.all = all
    }

    /// Returns the number of the text for a locale; nil if no text covers it.
    package func number(for locale: Locale?) -> Int? {
        switch lookup.match(for: locale) {
        case .localization(let key): all.firstIndex { $0.locale == key }
        case .own: 0
        case .uncovered: nil
        }
    }
}
