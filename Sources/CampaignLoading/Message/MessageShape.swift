import Diagnostics
import FCMWire
import YAMLSyntax

/// What may stand at a place under `message:`: the names and types of FCM's v1 API.
indirect enum MessageShape: Sendable {
    case text(TextDomain)
    case integer(ClosedRange<Int64>)
    case choice([String])
    /// `message.data` and the platforms' own: text under names that the author chooses, but for
    /// those that FCM keeps for itself.
    case dataMap
    /// Known keys; `others` says what becomes of the rest.
    case object(MessageFields)
    /// Text, or an object.
    case textOr(MessageFields)
}

/// A field of FCM's API.
struct MessageField: Sendable {
    let name: String
    let shape: MessageShape
    /// What editors show beside it.
    let about: String
    let examples: [JSONValue]

    init(
        _ name: String,
        _ shape: MessageShape,
        _ about: String = "",
        examples: [JSONValue] = []
    ) {
        self.name = name
        self.shape = shape
        self.about = about
        self.examples = examples
    }
}

struct MessageFields: Sendable {
    let subject: String
    let fields: [MessageField]
    /// Fields of FCM's that this version refuses by name.
    let notBuilt: Set<String>
    let others: MappingSchema.Others

    init(
        _ subject: String,
        _ fields: [MessageField],
        notBuilt: Set<String> = [],
        others: MappingSchema.Others = .refused
    ) {
        self.subject = subject
        self.fields = fields
        self.notBuilt = notBuilt
        self.others = others
    }

    func shape(of name: String) -> MessageShape? {
        fields.first { $0.name == name }?.shape
    }

    /// Whether a key that would be the author's own is nearly a known one, and holds what belongs
    /// there.
    func isMisspelling(_ entry: SyntaxEntry) -> Bool {
        let key = entry.key.scalar?.text ?? ""
        guard let near = SpellingSuggestion.nearest(to: key, among: fields.map(\.name)),
            case .object(let meant)? = shape(of: near)
        else { return false }
        return entry.value.entries?.contains { meant.shape(of: $0.key.scalar?.text ?? "") != nil }
            ?? false
    }
}

/// Which texts a field takes, and what to say of others.
struct TextDomain: Sendable {
    let rule: RuleID
    let expected: String
    let help: String?
    var form = TextForm.any
    let contains: @Sendable (String) -> Bool

    static let any = TextDomain(rule: .wrongKind, expected: "text", help: nil) { _ in true }
    static let orMapping = TextDomain(
        rule: .wrongKind,
        expected: "text or a mapping",
        help: nil
    ) { _ in true }
}
