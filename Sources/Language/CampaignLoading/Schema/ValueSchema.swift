package import JSON

/// The allowed values at a place, as far as the place itself determines them.
///
/// Every reader has a schema, so that editors use the same declarations as the loader.
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
    /// Merged with other values, which supply missing keys.
    case part(ValueSchema)
    case anything
}

/// The texts that a place accepts.
package struct TextForm: Sendable {
    /// Plain scalars that YAML reads as another type, and Herald as text.
    package enum Lookalikes: Sendable {
        /// Numbers and flags.
        case everything
        /// Flags and unsigned numbers.
        case unsigned
        /// Flags and integers.
        case whole
        /// Integers of a range; a range that ends at the greatest `Int64` has no end.
        case integers(ClosedRange<Int64>)
        case none
    }

    /// A regular expression (ECMA 262) that matches the whole text.
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

/// A mapping with a fixed set of keys.
package struct MappingSchema: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let isRequired: Bool
        package let about: String
        package let examples: [JSONValue]
        package let schema: ValueSchema
        /// Whether plan and apply refuse the key, so that editors do not suggest it.
        package let isNotBuilt: Bool
        /// The key that inserts this required key if it is missing in the file.
        let supplier: String?

        package init(
            name: String,
            isRequired: Bool,
            about: String,
            examples: [JSONValue],
            schema: ValueSchema,
            isNotBuilt: Bool = false,
            supplier: String? = nil
        ) {
            self.isNotBuilt = isNotBuilt
            self.supplier = supplier
            self.name = name
            self.isRequired = isRequired
            self.about = about
            self.examples = examples
            self.schema = schema
        }

        /// The same field, which may be missing in the file next to another key.
        func supplied(by key: String) -> Field {
            Field(
                name: name,
                isRequired: isRequired,
                about: about,
                examples: examples,
                schema: schema,
                isNotBuilt: isNotBuilt,
                supplier: key
            )
        }
    }

    /// A key that requires one of several others, always or if it has a certain value.
    package struct Need: Sendable {
        package let key: String
        /// The value as written, if other values require nothing.
        package let value: String?
        package let oneOf: [String]

        package init(_ key: String, is value: String? = nil, beside oneOf: String...) {
            self.key = key
            self.value = value
            self.oneOf = oneOf
        }
    }

    /// A key that several others cannot be next to.
    package struct Exclusion: Sendable {
        package let key: String
        package let others: [String]

        package init(_ key: String, of others: [String]) {
            self.key = key
            self.others = others
        }
    }

    package enum Others: Sendable {
        case refused
        case free
    }

    /// The name in messages, such as `a campaign`; mappings with the same subject are the same
    /// mapping.
    package let subject: String
    package let fields: [Field]
    /// Groups of keys of which exactly one must be present.
    package let oneOf: [[String]]
    /// Groups of keys of which at most one may be present.
    package let atMostOneOf: [[String]]
    package let needs: [Need]
    package let exclusions: [Exclusion]
    package let others: Others

    package init(
        subject: String,
        fields: [Field],
        oneOf: [[String]] = [],
        atMostOneOf: [[String]] = [],
        needs: [Need] = [],
        exclusions: [Exclusion] = [],
        others: Others = .refused
    ) {
        self.subject = subject
        self.fields = fields
        self.oneOf = oneOf
        self.atMostOneOf = atMostOneOf
        self.needs = needs
        self.exclusions = exclusions
        self.others = others
    }
}
