import Diagnostics
import Text
import JSON
import YAMLSyntax

/// What may stand at a place under `message:`: the names and types of FCM's v1 API.
indirect enum MessageShape: Sendable {
    case text(TextDomain)
    case flag
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case choice([String])
    /// One of the values of a request header, which are text even where they look like numbers.
    case header([String])
    case list(MessageShape)
    /// `message.data` and the platforms' own: text under names that the author chooses, but for
    /// those that FCM keeps for itself.
    case dataMap
    /// Any JSON.
    case free
    /// Any JSON object.
    case freeObject
    /// Known keys; `others` says what becomes of the rest.
    case object(MessageFields)
    /// Text, or an object.
    case textOr(MessageFields)
}

extension MessageShape {
    /// What stands under `message:`.
    static let message = MessageShape.object(.message)
}

/// A field of FCM's API.
struct MessageField: Sendable {
    let name: String
    let shape: MessageShape
    /// What editors show beside it.
    let about: String
    let examples: [JSONValue]
    /// What to do instead, where FCM has given the field up.
    let deprecation: String?
    let isRequired: Bool
    /// It is checked, and nothing acts on it yet: plan and apply refuse it.
    let isLater: Bool

    init(
        _ name: String,
        _ shape: MessageShape,
        _ about: String,
        examples: [JSONValue] = [],
        deprecation: String? = nil,
        isRequired: Bool = false,
        isLater: Bool = false
    ) {
        self.name = name
        self.shape = shape
        self.about = about
        self.examples = examples
        self.deprecation = deprecation
        self.isRequired = isRequired
        self.isLater = isLater
    }
}

/// The keys that an object of FCM's API has.
///
/// A class, because every object that is read holds its table; each lives as long as the program.
final class MessageFields: Sendable {
    let subject: String
    let fields: [MessageField]
    /// Keys that stand elsewhere: those of FCM's older protocol, and those one level off.
    let moved: [String: MovedKey]
    let others: MappingSchema.Others
    /// What is said where something else than a mapping stands.
    let hint: String?
    /// Groups of keys of which exactly one stands there.
    let oneOf: [[String]]
    let needs: [MappingSchema.Need]
    /// What editors are not told.
    let checks: [MessageCheck]
    let table: KeyTable
    let shapes: [FixedShape]
    /// Fields whose use is worth a word.
    let remarkable: KeySet
    let required: KeySet
    /// `oneOf` by places in the table.
    let groups: [KeySet]
    /// `needs` by places in the table.
    let neededBy: [(key: KeySet, oneOf: KeySet)]
    /// Whether some of its keys need, or exclude, others.
    let hasRelations: Bool

    init(
        _ subject: String,
        _ fields: [MessageField],
        moved: [String: MovedKey] = [:],
        others: MappingSchema.Others = .refused,
        hint: String? = nil,
        oneOf: [[String]] = [],
        needs: [MappingSchema.Need] = [],
        checks: [MessageCheck] = []
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
        shapes = fields.map { FixedShape($0.shape) }
        remarkable = table.set(fields.filter { $0.isLater || $0.deprecation != nil }.map(\.name))
        required = table.set(fields.filter(\.isRequired).map(\.name))
        groups = oneOf.map(table.set)
        neededBy = needs.map { (table.set([$0.key]), table.set($0.oneOf)) }
        hasRelations =
            !oneOf.isEmpty || !needs.isEmpty || !checks.isEmpty || !required.isEmpty
    }

    func field(_ name: String) -> MessageField? {
        table.place(of: name).map { fields[$0] }
    }

    /// Whether the entry's key, one that is not known, is the author's own.
    ///
    /// A key that is nearly a known one is a misspelling; where an object belongs, only if the
    /// entry holds what belongs there.
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
    /// The edit that writes a field's name in place of a key; a guess where authors have keys of
    /// their own.
    func fix(
        _ key: SyntaxNode,
        writing name: String,
        beside entries: [SyntaxEntry]
    ) -> Fix {
        guard case .refused = others else { return key.fix(writing: name, isSure: false) }
        return key.fix(writing: name, among: fields.map(\.name), beside: entries)
    }
}

/// Where a key stands that somebody may look for in another place.
struct MovedKey: Sendable {
    let help: String
    /// The right key, where it alone has to be replaced.
    let replacement: String?

    /// What stands at `place` has another form or another parent.
    static func place(_ help: String) -> MovedKey {
        MovedKey(help: "write \(help)", replacement: nil)
    }

    static func renamed(_ key: String) -> MovedKey {
        MovedKey(help: "did you mean `\(key)`?", replacement: key)
    }
}
