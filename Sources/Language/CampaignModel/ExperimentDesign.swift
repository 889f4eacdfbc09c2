/// How the recipients of a campaign are divided into arms, and who receives nothing.
///
/// A hash without a secret assigns each subject, so that analysts can recompute it.
package struct ExperimentDesign: Hashable, Sendable {
    /// A variant without its message.
    package struct Part: Hashable, Sendable {
        package let id: Identifier<Variant>
        /// Relative to the sum of all weights; 0 assigns no one.
        package let weight: Int

        package init(id: Identifier<Variant>, weight: Int) {
            self.id = id
            self.weight = weight
        }
    }

    package let project: ProjectID
    /// The name of the experiment: the campaign's, unless it names another one.
    package let name: String
    /// The campaign's own hold-out; `.none` without one.
    package let holdOut: Percentage
    /// The share of people to whom the project sends no campaign; `.none` without one.
    package let globalHoldOut: Percentage
    /// In the order of the file; empty if the only comparison is with no message.
    package let variants: [Part]

    package init(
        project: ProjectID,
        name: String,
        holdOut: Percentage,
        globalHoldOut: Percentage,
        variants: [Part]
    ) {
        self.project = project
        self.name = name
        self.holdOut = holdOut
        self.globalHoldOut = globalHoldOut
        self.variants = variants
    }

    /// The experiment that assigns the project's hold-out; no campaign can use the name.
    package static let globalName = "global_holdout"

    /// Whether the campaign compares something itself.
    package var isExperiment: Bool { holdOut != .none || !variants.isEmpty }
}

/// What a recipient of a campaign with an experiment gets.
package enum ExperimentArm: Hashable, Sendable {
    /// Nothing, because the project holds this person out.
    case heldOutGlobally
    /// Nothing, because the campaign holds this person out.
    case heldOut
    /// The campaign's own message; if there are no variants.
    case own
    /// The message of the variant with this number, in the order of the file.
    case variant(Int)

    package var isHeldOut: Bool {
        switch self {
        case .heldOut, .heldOutGlobally: true
        case .own, .variant: false
        }
    }
}

/// Which of a campaign's messages a recipient gets.
package enum TextKey: Hashable, Sendable {
    /// The campaign's own.
    case own
    /// That of a key of `locales`.
    case locale(Locale)
    case variant(Identifier<Variant>)
    /// No message, for comparison.
    case heldOut

    package var isVariant: Bool { if case .variant = self { true } else { false } }

    package var locale: Locale? { if case .locale(let locale) = self { locale } else { nil } }

    /// The value in the stored column; empty for the campaign's own text.
    package var stored: String {
        switch self {
        case .own: ""
        case .locale(let locale): locale.tag
        case .variant(let id): id.rawValue
        case .heldOut: TextColumn.heldOut
        }
    }

    /// Names the text to people, such as `pt` or `variant B`.
    package var label: String {
        switch self {
        case .own: "the campaign's own text"
        case .locale(let locale): locale.tag
        case .variant(let id): "variant \(id.rawValue)"
        case .heldOut: "held out"
        }
    }
}

/// The stored column that contains which message each row gets.
///
/// No placeholder can name it, because it contains a brace.
package enum TextColumn: String, CaseIterable, Sendable {
    /// The key of `locales`.
    case locale = "{locale}"
    /// The name of the variant.
    case variant = "{variant}"
    /// Only whether the row is held out.
    case holdOut = "{holdout}"

    /// The column of a stored list; nil if it has none.
    package init?(of columns: [String]) {
        guard let last = columns.last else { return nil }
        self.init(rawValue: last)
    }

    /// The value of a row that its campaign holds out; neither a locale nor a name.
    package static let heldOut = "-"
    /// The value of a row that its project holds out.
    package static let heldOutGlobally = "--"

    /// What a row with a value gets; nil if it is held out.
    package func key(_ value: String) -> TextKey? {
        guard value != Self.heldOut, value != Self.heldOutGlobally else { return nil }
        guard !value.isEmpty else { return .own }
        return switch self {
        case .locale: Locale(value).map(TextKey.locale) ?? .own
        case .variant: Identifier<Variant>(value).map(TextKey.variant) ?? .own
        case .holdOut: .own
        }
    }
}
