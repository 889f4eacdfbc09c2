import Diagnostics
import FCMWire

/// What may stand at a place under `message:`: the names and types of FCM's v1 API.
indirect enum MessageShape: Sendable {
    case text(TextDomain)
    case flag
    case integer(ClosedRange<Int64>)
    case choice([String])
    case list(MessageShape)
    /// Names that the author chooses, each with text.
    case textMap
    /// `message.data` and the platforms' own: as `textMap`, with FCM's reserved names refused.
    case dataMap
    /// Known keys; `others` says what becomes of the rest.
    case object(MessageFields)
    /// Any YAML, carried over as JSON.
    case free
}

struct MessageFields: Sendable {
    enum Others: Sendable {
        case refused
        case free
    }

    let subject: String
    let fields: [(name: String, shape: MessageShape)]
    /// Fields of FCM's that this version refuses by name.
    let notBuilt: Set<String>
    let others: Others

    init(
        _ subject: String,
        _ fields: [(name: String, shape: MessageShape)],
        notBuilt: Set<String> = [],
        others: Others = .refused
    ) {
        self.subject = subject
        self.fields = fields
        self.notBuilt = notBuilt
        self.others = others
    }

    func shape(of name: String) -> MessageShape? {
        fields.first { $0.name == name }?.shape
    }
}

/// Which texts a field takes, and what to say of others.
struct TextDomain: Sendable {
    let rule: RuleID
    let expected: String
    let help: String?
    let contains: @Sendable (String) -> Bool

    static let any = TextDomain(rule: .wrongKind, expected: "text", help: nil) { _ in true }
}
