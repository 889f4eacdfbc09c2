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

extension MessageMapping {
    /// What is wrong between its keys.
    var findings: [Diagnostic] {
        missing + fields.oneOf.flatMap(exactlyOne) + fields.needs.compactMap(unmet)
            + fields.checks.flatMap { $0.findings(self) }
    }

    private var missing: [Diagnostic] {
        fields.fields.filter { $0.isRequired && !met.contains($0.name) }
            .map { .missingKey($0.name, of: fields.subject, at: place) }
    }

    private func exactlyOne(of group: [String]) -> [Diagnostic] {
        let given = (node.entries ?? []).filter { group.contains($0.key.scalar?.text ?? "") }
        if given.count > 1 { return [.conflict(given, of: fields.subject)] }
        guard met.isDisjoint(with: group) else { return [] }
        return [.missingOneOf(group, of: fields.subject, at: place)]
    }

    private func unmet(_ need: MappingSchema.Need) -> Diagnostic? {
        guard let entry = entry(need.key), met.isDisjoint(with: need.oneOf) else { return nil }
        guard let value = need.value else {
            return .missing(need.oneOf, beside: need.key, at: entry.key.span)
        }
        guard object[need.key]?.isWritten(value) == true else { return nil }
        return .missing(need.oneOf, beside: "\(need.key): \(value)", at: entry.key.span)
    }

    /// Where something is missing from it.
    private var place: SourceSpan { node.entries?.first?.key.span ?? node.span }
}

extension JSONValue {
    fileprivate func isWritten(_ text: String) -> Bool {
        switch self {
        case .string(let string): string == text
        case .bool(let flag): "\(flag)" == text
        default: false
        }
    }
}

extension Diagnostic {
    static func missing(
        _ keys: [String],
        beside other: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "`\(other)` needs \(keys.oneOf)",
            span: span,
            label: "\(keys.oneOf) is missing beside it"
        )
    }
}
