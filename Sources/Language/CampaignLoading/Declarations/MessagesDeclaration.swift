package import CampaignModel
import Diagnostics
package import JSON
import YAMLSyntax

/// A `messages:` document as written: the messages that campaigns extend.
package struct MessagesDeclaration: Sendable {
    package var messages: Spanned<[NamedEntry<SharedMessageID, SharedMessageDeclaration>]>?
    package var about: Spanned<String>?

    package init() {}

    package static let reader = MappingReader<MessagesDeclaration>(
        "a group of messages",
        fields: [
            .required(
                "messages",
                at: \.messages,
                as: .named(by: .identifier(), of: .sharedMessage),
                about:
                    "Shared messages by name. A campaign with `extends: NAME` inherits the fields of "
                    + "the message and the keys next to them.",
                examples: [["harbour-alert": ["notification": ["title": "Harbour office"]]]]
            ),
            .optional(
                "about",
                at: \.about,
                as: .text,
                about: "One-sentence description of the messages."
            ),
        ]
    )
}

package typealias SharedMessageID = Identifier<SharedMessageDeclaration>

/// An entry of `messages:`: fields of a message, and keys that a campaign has next to `message`.
///
/// It is a part of campaigns, so missing keys are not reported.
package struct SharedMessageDeclaration: Sendable {
    /// The fields of the message by name.
    package var fields: [String: Spanned<JSONValue>] = [:]
    package var owner: Spanned<String>?
    package var labels: Spanned<[NamedEntry<Identifier<Label>, String>]>?
    package var delivery: Spanned<DeliveryDeclaration>?
    package var onUnknown: Spanned<SendingPolicy.OnUnknown>?

    package static let reader = MappingReader<SharedMessageDeclaration>(
        "a shared message",
        fields: messageFields + campaignFields
    )

    static let keysOfMessages = messageFields.map(\.name)
    /// The keys that `defaults` can have, except `message`.
    static let keysOfCampaigns = campaignFields.map(\.name)

    private static let messageFields: [Field<SharedMessageDeclaration>] =
        MessageFields.message.fields.map { field in
            Field<SharedMessageDeclaration>.optional(
                field.name,
                at: \.fields[field.name],
                as: ValueReader<JSONValue>.part(of: field),
                about: field.about,
                examples: field.examples
            )
        }

    private static let campaignFields: [Field<SharedMessageDeclaration>] = [
        .optional("owner", at: \.owner, as: .text, about: "Person or team responsible."),
        .optional("labels", at: \.labels, as: .labels, about: "Your own key-value labels."),
        .optional(
            "delivery",
            at: \.delivery,
            as: .mapping(DeliveryDeclaration.reader, from: .init()),
            about: "Delivery of the campaigns. Each campaign's delivery is merged over it."
        ),
        .optional(
            "on_unknown",
            at: \.onUnknown,
            as: .choice,
            about: "What to do about a request whose outcome is unknown."
        ),
    ]
}

extension ValueReader where Value == SharedMessageDeclaration {
    static let sharedMessage = ValueReader(
        .part(.mapping(SharedMessageDeclaration.reader.schema))
    ) { node, log in
        var message = SharedMessageDeclaration()
        let own = node.reportingMisplacedKeys(to: &log)
        let reader = SharedMessageDeclaration.reader
        return reader.read(own, into: &message, reportingTo: &log) ? message : nil
    }
}

extension ValueReader where Value == JSONValue {
    /// Reads a field of a message that is merged into others, so missing keys are not reported.
    fileprivate static func part(of field: MessageField) -> ValueReader {
        ValueReader(field.shape.schema) { node, log in
            var reader = MessageReader(isWhole: false)
            let value = reader.read(node, as: field.shape)
            log.absorb(reader.log)
            return value
        }
    }
}

extension SyntaxNode {
    /// Reports the keys of a shared message that belong to campaigns or elsewhere, and returns the
    /// mapping without them.
    fileprivate func reportingMisplacedKeys(to log: inout DiagnosticLog) -> SyntaxNode {
        guard let entries else { return self }
        var own: [SyntaxEntry] = []
        for entry in entries {
            if let help = SharedMessageDeclaration.place(of: entry.key.scalar?.text ?? "") {
                log.report(.misplaced(entry.key, help: help))
            } else {
                own.append(entry)
            }
        }
        return SyntaxNode(span: span, content: .mapping(own))
    }
}

extension SharedMessageDeclaration {
    /// Returns how to correct a known key that a shared message cannot have; nil for other keys.
    fileprivate static func place(of key: String) -> String? {
        if reader.keys.contains(key) { return nil }
        if key == "extends" { return "write the fields here: only a campaign extends a message" }
        if let moved = MessageFields.movedFromMessage[key] { return moved.help }
        guard CampaignDeclaration.reader.keys.contains(key) else { return nil }
        return "write it in the campaigns that extend the message"
    }
}

extension Diagnostic {
    fileprivate static func misplaced(_ key: SyntaxNode, help: String) -> Diagnostic {
        let name = key.scalar?.text ?? ""
        return Diagnostic(
            rule: .unknownKey,
            message: name == "extends"
                ? "a shared message cannot extend another one"
                : "a shared message has no key `\(name)`",
            span: key.span,
            label: name == "extends" ? "one level only" : "unknown key",
            help: [help]
        )
    }
}
