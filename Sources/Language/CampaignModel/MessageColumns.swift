import JSON

/// The columns of a list that a message uses.
package struct MessageColumns: Hashable, Sendable {
    /// The columns that placeholders of any text name, in the order of their first mention.
    package let names: [String]
    /// The values of rows that have none, by column.
    package let defaults: [String: String]
    /// The payload size of the campaign's own text on each platform.
    package let sizes: [Size]
    /// How a row chooses its text by its locale; nil if the campaign has no `locales`.
    package let texts: LocalizedTexts?
    /// How a person chooses their text, or gets none; nil without an experiment and a hold-out.
    package let experiment: ExperimentTexts?
    /// The column of the time at which each row gets the message; nil if all get it together.
    package let times: String?
    /// How rows get their places in a rollout; nil without one.
    package let rollout: RolloutColumns?
    /// The column of a number from before the experiment; nil without an experiment.
    package let covariate: String?
    /// Whether the message is encrypted with each row's public key.
    package let isEncrypted: Bool

    package init(
        names: [String],
        defaults: [String: String],
        sizes: [Size],
        texts: LocalizedTexts? = nil,
        experiment: ExperimentTexts? = nil,
        times: String? = nil,
        rollout: RolloutColumns? = nil,
        covariate: String? = nil,
        isEncrypted: Bool = false
    ) {
        self.names = names
        self.defaults = defaults
        self.sizes = sizes
        self.texts = texts
        self.experiment = experiment
        self.times = times
        self.rollout = rollout
        self.covariate = covariate
        self.isEncrypted = isEncrypted
    }

    /// The columns that are read: those of placeholders, of the times and the locales, and
    /// of the number from before the experiment.
    package var readNames: [String] {
        var all = names
        for name in [times, texts?.column, covariate].compactMap(\.self)
        where !all.contains(name) {
            all.append(name)
        }
        return all
    }

    /// The columns that are stored: those of placeholders, the time, the place in a rollout, the number from
    /// before the experiment, the public key, and which message the row gets.
    package var storedNames: [String] {
        let others = [
            times == nil ? nil : Self.timeColumn, rollout == nil ? nil : Self.rolloutColumn,
            covariate == nil ? nil : Self.covariateColumn, isEncrypted ? Self.keyColumn : nil,
            textColumn?.rawValue,
        ]
        return names + others.compactMap(\.self)
    }

    /// The stored column that contains which message each row gets; nil if all get the same one.
    package var textColumn: TextColumn? {
        if experiment?.variants.isEmpty == false { return .variant }
        if texts != nil { return .locale }
        return experiment == nil ? nil : .holdOut
    }

    /// The texts among which rows choose, in the order of their numbers; nil if all get the campaign's
    /// own.
    package var allTexts: [MessageText]? {
        if let experiment, !experiment.variants.isEmpty { return experiment.variants }
        return texts?.all
    }

    /// The key of each text, by its number.
    package var textKeys: [TextKey] { allTexts?.map(\.key) ?? [.own] }

    /// The stored column of times; no placeholder can name it.
    package static let timeColumn = "{time}"

    /// The stored column of places in a rollout; no placeholder can name it.
    package static let rolloutColumn = "{rollout}"

    /// The stored column of numbers from before the experiment; no placeholder can name it.
    package static let covariateColumn = "{covariate}"

    /// The stored column of public keys; no placeholder can name it.
    package static let keyColumn = "{public_key}"

    /// The payload size on a platform, which depends on the row.
    package struct Size: Hashable, Sendable {
        package let platform: Platform
        /// The bytes of readable keys and texts without the values.
        package let literals: Int
        /// How often each column occurs, in the order of `names`.
        package let uses: [Int]
        /// How the values become an envelope; nil if they are readable.
        package let envelope: EnvelopeSize?

        package init(
            platform: Platform,
            literals: Int,
            uses: [Int],
            envelope: EnvelopeSize? = nil
        ) {
            self.platform = platform
            self.literals = literals
            self.uses = uses
            self.envelope = envelope
        }

        /// Returns the payload size of a row with these values.
        package func bytes(with values: [String]) -> Int {
            guard let envelope else {
                return zip(uses, values).reduce(literals) { $0 + $1.0 * $1.1.utf8.count }
            }
            let clear = zip(uses, values).reduce(envelope.clear) {
                $0 + ($1.0 == 0 ? 0 : $1.0 * JSONWriter.length(ofContent: $1.1))
            }
            return literals + envelope.length(ofClear: clear)
        }
    }
}

/// What decides the places of a list's rows in a rollout.
package struct RolloutColumns: Hashable, Sendable {
    package let project: ProjectID
    package let campaign: CampaignID
    /// Whether the list is a set whose first part gets the message first.
    package let hasCanary: Bool

    package init(project: ProjectID, campaign: CampaignID, hasCanary: Bool) {
        self.project = project
        self.campaign = campaign
        self.hasCanary = hasCanary
    }
}

/// The size of an envelope, which depends on the number of bytes of its clear text.
package struct EnvelopeSize: Hashable, Sendable {
    /// The bytes of the clear text without the values, as JSON.
    package let clear: Int
    /// The bytes that encryption adds.
    package let overhead: Int

    package init(clear: Int, overhead: Int) {
        self.clear = clear
        self.overhead = overhead
    }

    /// Returns the characters of base64url without padding.
    package func length(ofClear clear: Int) -> Int { ((overhead + clear) * 4 + 2) / 3 }
}

/// One text of a campaign and the columns that it contains.
package struct MessageText: Hashable, Sendable {
    package let key: TextKey
    /// Whether a placeholder names each column, in the order of `MessageColumns.names`.
    package let uses: [Bool]
    /// The payload size on each platform.
    package let sizes: [MessageColumns.Size]

    package init(_ key: TextKey, uses: [Bool], sizes: [MessageColumns.Size]) {
        self.key = key
        self.uses = uses
        self.sizes = sizes
    }
}

/// The experiment of a campaign, and the texts of its variants.
package struct ExperimentTexts: Hashable, Sendable {
    package let design: ExperimentDesign
    /// In the order of the file; empty if everyone who is not held out gets the same message.
    package let variants: [MessageText]

    package init(_ design: ExperimentDesign, variants: [MessageText]) {
        self.design = design
        self.variants = variants
    }
}

/// The texts of a campaign with `locales`, and how a row of the list chooses one.
package struct LocalizedTexts: Hashable, Sendable {
    /// The column of the recipients' locales.
    package let column: String
    package let lookup: LocaleLookup
    /// The campaign's own text, then those of `locales` in the order of the file.
    package let all: [MessageText]

    package init(column: String, lookup: LocaleLookup, all: [MessageText]) {
        self.column = column
        self.lookup = lookup
        self.all = all
    }

    /// Returns the number of the text for a locale; nil if no text covers it.
    package func number(for locale: Locale?) -> Int? {
        switch lookup.match(for: locale) {
        case .localization(let key): all.firstIndex { $0.key == .locale(key) }
        case .own: 0
        case .uncovered: nil
        }
    }
}
