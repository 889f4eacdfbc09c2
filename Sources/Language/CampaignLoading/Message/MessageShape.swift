import Diagnostics
import JSON
import Text
import YAMLSyntax

/// The allowed values at a place under `message:`, with the names and types of the v1 API.
indirect enum MessageShape: Sendable {
    case text(TextDomain)
    case flag
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case choice([String])
    /// One of the values of a request header, which are text even if they look like numbers.
    case header([String])
    case list(MessageShape)
    /// The type of `message.data` and of the platforms' own data.
    ///
    /// It contains texts under names that the author chooses, except those that FCM reserves.
    case dataMap
    /// Any JSON.
    case free
    /// Any JSON object.
    case freeObject
    /// Known keys; `others` determines how other keys are treated.
    case object(MessageFields)
    /// Text, or an object.
    case textOr(MessageFields)
}

extension MessageShape {
    /// The content of `message:`.
    static let message = MessageShape.object(.message)
}

/// A field of the FCM API.
struct MessageField: Sendable {
    let name: String
    let shape: MessageShape
    /// The description that editors show.
    let about: String
    let examples: [JSONValue]
    /// The replacement if FCM deprecated the field.
    let deprecation: String?
    let isRequired: Bool
    /// Whether the field is checked but not implemented yet, so that plan and apply refuse it.
    let isNotBuilt: Bool

    init(
        _ name: String,
        as shape: MessageShape,
        about: String,
        examples: [JSONValue] = [],
        deprecation: String? = nil,
        isRequired: Bool = false,
        isNotBuilt: Bool = false
    ) {
        self.name = name
        self.shape = shape
        self.about = about
        self.examples = examples
        self.deprecation = deprecation
        self.isRequired = isRequired
        self.isNotBuilt = isNotBuilt
    }
}

/// The keys of an object in the FCM API.
///
/// It is a class, because every object that is read refers to its table. Each instance exists as
/// long as the program.
final class MessageFields: Sendable {
    let subject: String
    let fields: [MessageField]
    /// Keys of the legacy FCM protocol, and keys at the wrong level.
    let moved: [String: MovedKey]
    let others: MappingSchema.Others
    /// The help text for a value that is not a mapping.
    let hint: String?
    /// Groups of keys of which exactly one must be present.
    let oneOf: [[String]]
    let needs: [MappingSchema.Need]
    /// Checks that the schema for editors does not express.
    let checks: [MessageCheck]
    let table: KeyTable
    let shapes: [StaticSchemaReference]
    /// Fields whose use is reported.
    let remarkable: KeySet
    /// Required keys, except those whose absence a check reports.
    let required: KeySet
    /// `oneOf` by places in the table.
    let groups: [KeySet]
    /// `needs` by places in the table.
    let neededBy: [(key: KeySet, oneOf: KeySet)]
    /// Whether some of its keys require or exclude others.
    let hasRelations: Bool

    /// `checked`: Required keys whose absence one of `checks` reports.
    init(
        _ subject: String,
        fields: [MessageField],
        moved: [String: MovedKey] = [:],
        others: MappingSchema.Others = .refused,
        hint: String? = nil,
        oneOf: [[String]] = [],
        needs: [MappingSchema.Need] = [],
        checks: [MessageCheck] = [],
        checked: [String] = []
    ) {
        self.subject = subject
        self.fields = fields
        self.moved = moved
        self.others = others
        self.hint = hint
        self.oneOf = oneOf
        self.needs = needs
        self.checks = checks
        let table = KeyTable(fields.map(\.name))
        self.table = table
        shapes = fields.map { StaticSchemaReference($0.shape) }
        remarkable = table.set(fields.filter { $0.isNotBuilt || $0.deprecation != nil }.map(\.name))
        required = table.set(
            fields.filter { $0.isRequired && !checked.contains($0.name) }.map(\.name)
        )
        groups = oneOf.map(table.set)
        neededBy = needs.map { (table.set([$0.key]), table.set($0.oneOf)) }
        hasRelations =
            !oneOf.isEmpty || !needs.isEmpty || !checks.isEmpty || !required.isEmpty
    }

    func field(_ name: String) -> MessageField? {
        table.place(of: name).map { fields[$0] }
    }

    /// Whether the entry's unknown key is the author's own.
    ///
    /// A key that is similar to a known one is a misspelling. If the known key takes an object,
    /// this applies only if the entry contains one of that object's keys.
    func takesAsFree(_ entry: SyntaxEntry) -> Bool {
        guard case .free = others else { return false }
        let key = entry.key.scalar?.text ?? ""
        guard !key.isAuthorsKey,
            let near = SpellingSuggestion.key(key, among: fields.map(\.name))
        else { return true }
        guard case .object(let meant)? = field(near)?.shape else { return false }
        let keys = (entry.value.entries ?? []).compactMap { $0.key.scalar?.text }
        return !keys.contains { meant.field($0) != nil }
    }
}

extension MessageFields {
    /// Returns the edit that replaces a key with a field's name.
    ///
    /// It is only a suggestion if authors may use their own keys.
    func fix(
        _ key: SyntaxNode,
        writing name: String,
        beside entries: [SyntaxEntry]
    ) -> Fix {
        guard case .refused = others else { return key.fix(writing: name, isSure: false) }
        return key.fix(writing: name, among: fields.map(\.name), beside: entries)
    }
}

/// The correct place of a key that authors may expect elsewhere.
struct MovedKey: Sendable {
    let help: String
    /// The correct key, if no other text has to change.
    let replacement: String?

    /// The key at `place` has another form or another parent.
    static func place(_ help: String) -> MovedKey {
        MovedKey(help: "write \(help)", replacement: nil)
    }

    static func renamed(_ key: String) -> MovedKey {
        MovedKey(help: "did you mean `\(key)`?", replacement: key)
    }
}
