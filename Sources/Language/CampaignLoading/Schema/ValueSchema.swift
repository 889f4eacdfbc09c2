package import JSON

/// What may stand at a place, as far as the place itself can tell.
///
/// Every reader carries one, so that what editors are told comes from the declaration that the
/// loader reads by.
package indirect enum ValueSchema: Sendable {
    case text(TextForm)
    case choice([String])
    case flag
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case list(of: ValueSchema, atLeast: Int)
    /// A mapping whose keys are names that the author chooses.
    case named(by: TextForm, ValueSchema)
    case mapping(MappingSchema)
    case either([ValueSchema])
    /// Merged with what stands elsewhere: nothing is missing from it.
    case part(ValueSchema)
    case anything
}

/// Which texts a place takes.
package struct TextForm: Sendable {
    /// Plain scalars that YAML takes for something else than text, and Herald for the text that
    /// they are.
    package enum Lookalikes: Sendable {
        /// Numbers and flags.
        case everything
        /// Flags, and numbers without a sign.
        case unsigned
        /// Flags, and whole numbers.
        case whole
        /// Whole numbers of a range; one that ends at the greatest `Int64` has no end.
        case integers(ClosedRange<Int64>)
        case none
    }

    /// A regular expression (ECMA 262) that the text matches from beginning to end.
    package let pattern: String?
    /// In Unicode scalars.
    package let maximumLength: Int?
    package let lookalikes: Lookalikes

    package init(
        pattern: String? = nil,
        maximumLength: Int? = nil,
        lookalikes: Lookalikes = .none
    ) {
        self.pattern = pattern
        self.maximumLength = maximumLength
        self.lookalikes = lookalikes
    }

    package static let any = TextForm(lookalikes: .everything)
}

/// A mapping with keys of its own.
package struct MappingSchema: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let isRequired: Bool
        package let about: String
        package let examples: [JSONValue]
        package let schema: ValueSchema

        package init(
            name: String,
            isRequired: Bool,
            about: String,
            examples: [JSONValue],
            schema: ValueSchema
        ) {
            self.name = name
            self.isRequired = isRequired
            self.about = about
            self.examples = examples
            self.schema = schema
        }
    }

    /// A key that stands, or has a value, only beside one of others.
    package struct Need: Sendable {
        package let key: String
        /// As it is written, where other values need nothing.
        package let value: String?
        package let oneOf: [String]

        package init(_ key: String, is value: String? = nil, beside oneOf: String...) {
            self.key = key
            self.value = value
            self.oneOf = oneOf
        }
    }

    package enum Others: Sendable {
        case refused
        case free
    }

    /// What messages call it, such as `a campaign`; mappings with one subject are one mapping.
    package let subject: String
    package let fields: [Field]
    /// Groups of keys of which exactly one stands there.
    package let oneOf: [[String]]
    /// Groups of keys of which at most one stands there.
    package let atMostOneOf: [[String]]
    package let needs: [Need]
    package let others: Others

    package init(
        subject: String,
        fields: [Field],
        oneOf: [[String]] = [],
        atMostOneOf: [[String]] = [],
        needs: [Need] = [],
        others: Others = .refused
    ) {
        self.subject = subject
        self.fields = fields
        self.oneOf = oneOf
        self.atMostOneOf = atMostOneOf
        self.needs = needs
        self.others = others
    }
}
