import Diagnostics
import FCMWire
import YAMLSyntax

/// What needs several keys of one object, defaults merged in.
struct MessageCheck: Sendable {
    let findings: @Sendable (MessageMapping) -> [Diagnostic]
}

/// One object of a message after its fields were read.
struct MessageMapping {
    let node: SyntaxNode
    let fields: MessageFields
    /// What could be read of it.
    let object: JSONObject
    /// The keys that stand there, or were meant by misspelt ones.
    let met: Set<String>
    /// Nothing was found in it so far.
    let isSound: Bool

    func entry(_ key: String) -> SyntaxEntry? {
        node.entries?.first { $0.key.scalar?.text == key }
    }
}

extension MessageCheck {
    /// A key that means nothing without another.
    static func needs(_ key: String, _ other: String) -> MessageCheck {
        MessageCheck { mapping in
            guard let entry = mapping.entry(key), !mapping.met.contains(other) else { return [] }
            return [.missing(other, beside: key, at: entry.key.span)]
        }
    }

    static func required(_ keys: [String]) -> MessageCheck {
        MessageCheck { mapping in
            let place = mapping.node.entries?.first?.key.span ?? mapping.node.span
            return keys.filter { !mapping.met.contains($0) }
                .map { .missingKey($0, of: mapping.fields.subject, at: place) }
        }
    }

    static func exactlyOne(_ one: String, _ other: String) -> MessageCheck {
        MessageCheck { mapping in
            if let first = mapping.entry(one), let second = mapping.entry(other) {
                let pair = first.key.span.start < second.key.span.start
                return [.exclusive(pair ? (first, second) : (second, first), mapping)]
            }
            guard mapping.met.isDisjoint(with: [one, other]) else { return [] }
            let place = mapping.node.entries?.first?.key.span ?? mapping.node.span
            return [.missingOne([one, other], of: mapping.fields.subject, at: place)]
        }
    }
}

extension Diagnostic {
    static func missing(
        _ key: String,
        beside other: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "`\(other)` needs `\(key)`",
            span: span,
            label: "`\(key)` is missing beside it"
        )
    }

    fileprivate static func exclusive(
        _ pair: (first: SyntaxEntry, second: SyntaxEntry),
        _ mapping: MessageMapping
    ) -> Diagnostic {
        let names = [pair.first, pair.second].map { "`\($0.key.scalar?.text ?? "")`" }
        return Diagnostic(
            rule: .conflictingKeys,
            message: "\(mapping.fields.subject) has either \(names.joined(separator: " or "))",
            span: pair.second.key.span,
            label: "the second of the two",
            related: [RelatedPlace(span: pair.first.key.span, message: "the first")],
            help: ["take one of them out; `~` takes a default away"]
        )
    }

    fileprivate static func missingOne(
        _ keys: [String],
        of subject: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "\(subject) needs exactly one of its kinds",
            span: span,
            label: "\(keys.oneOf) is missing here"
        )
    }
}
