import CampaignModel
import Diagnostics
import YAMLSyntax

/// The values that campaigns inherit: the defaults, and the shared messages that they extend.
struct InheritedValues: Sendable {
    let defaults: SyntaxNode?
    private let messages: [String: SyntaxNode]

    /// If several messages have the same name, the first counts.
    init(defaults: SyntaxNode?, messages: [SharedMessage] = []) {
        self.defaults = defaults
        self.messages = Dictionary(
            messages.map { ($0.name.value.rawValue, $0.values) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the values that a campaign inherits; nil if there are none.
    ///
    /// A message that the campaign extends is merged over the defaults.
    func values(of campaign: SyntaxNode) -> SyntaxNode? {
        guard let extended = campaign.value(of: "extends") else { return defaults }
        let message = extended.scalar.flatMap { messages[$0.text] }
        let values = message ?? SyntaxNode.emptyMessage(at: extended.span)
        return defaults.map { values.merged(over: $0) } ?? values
    }
}

/// An entry of a `messages:` document, from which campaigns inherit.
struct SharedMessage: Sendable {
    let name: Spanned<SharedMessageID>
    /// In the form of a campaign: the fields of the message under `message`, the other keys next to
    /// it.
    ///
    /// Keys that a shared message cannot have are reported once there, so they are left out.
    let values: SyntaxNode

    /// Returns nil if the entry's value is not a mapping.
    init?(_ name: Spanned<SharedMessageID>, from entry: SyntaxEntry) {
        guard entry.value.entries != nil else { return nil }
        let own = entry.value.keeping(SharedMessageDeclaration.keysOfCampaigns)
        let message = entry.value.keeping(SharedMessageDeclaration.keysOfMessages)
        let isEmpty = message.entries?.isEmpty ?? true
        self.name = name
        values = isEmpty ? own : own.addingMessage(message, at: name.span)
    }
}

extension SyntaxNode {
    /// The entry whose key determines the kind of a document; earlier ones are the author's.
    var kindEntry: SyntaxEntry? {
        entries?.first { $0.key.scalar?.text.isAuthorsKey != true }
    }

    /// Whether it is a `campaign:` document.
    var isCampaign: Bool { kindEntry?.key.scalar?.text == DocumentKind.campaign.rawValue }

    /// Whether it is a `campaign:` document that extends a shared message.
    var extendsMessage: Bool { isCampaign && value(of: "extends") != nil }

    /// Returns a `messages:` document without the nulls by which its messages remove defaults.
    ///
    /// Such a null is correct, but it is not a value of its key.
    func withoutRemovedDefaults(of defaults: SyntaxNode?) -> SyntaxNode {
        guard let defaults = defaults?.asSharedMessage else { return self }
        return mapping("messages") { messages in
            messages.mappingEach { $0.withoutNulls(over: defaults) }
        }
    }

    /// Defaults in the form of a shared message.
    private var asSharedMessage: SyntaxNode {
        let own = keeping(SharedMessageDeclaration.keysOfCampaigns).entries ?? []
        let fields = value(of: "message")?.entries ?? []
        return SyntaxNode(span: span, content: .mapping(own + fields))
    }
}

extension SyntaxNode {
    /// The values of a message that cannot be looked up.
    ///
    /// The name is reported. A missing `message` would be only its consequence.
    fileprivate static func emptyMessage(at span: SourceSpan) -> SyntaxNode {
        let empty = SyntaxNode(span: span, content: .mapping([]))
        return empty.addingMessage(empty, at: span)
    }

    /// Returns the mapping with the key `message`.
    fileprivate func addingMessage(_ message: SyntaxNode, at span: SourceSpan) -> SyntaxNode {
        let word = SyntaxScalar(text: "message", style: .plain, verbatimStart: nil)
        let key = SyntaxNode(span: span, content: .scalar(word))
        let entry = SyntaxEntry(key: key, value: message)
        return SyntaxNode(span: self.span, content: .mapping((entries ?? []) + [entry]))
    }
}
