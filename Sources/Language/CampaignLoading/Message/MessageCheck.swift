import Diagnostics
import JSON
import YAMLSyntax

/// A check of several keys of one object, with defaults merged.
struct MessageCheck: Sendable {
    let findings: @Sendable (MessageMapping) -> [Diagnostic]
}

/// One object of a message after its fields were read.
struct MessageMapping {
    let node: SyntaxNode
    let fields: MessageFields
    /// The readable part of the object.
    let object: JSONObject
    /// The existing keys, including the corrections of misspelled keys.
    let met: KeySet
    /// Whether no problems were found in it so far.
    let isSound: Bool

    func isMet(_ key: String) -> Bool {
        fields.table.place(of: key).map(met.contains) ?? false
    }

    private func isAnyMet(_ keys: [String]) -> Bool { keys.contains(where: isMet) }

    func entry(_ key: String) -> SyntaxEntry? {
        node.entries?.first { $0.key.scalar?.text == key }
    }
}

extension MessageMapping {
    /// The problems in the relations between its keys.
    var findings: [Diagnostic] {
        var found: [Diagnostic] = []
        if !fields.required.subtracting(met).isEmpty { found += missing }
        for (place, group) in fields.groups.enumerated()
        where met.intersection(group).count != 1 {
            found += exactlyOne(of: fields.oneOf[place])
        }
        for (place, need) in fields.neededBy.enumerated()
        where !met.isDisjoint(with: need.key) && met.isDisjoint(with: need.oneOf) {
            if let unmet = unmet(fields.needs[place]) { found.append(unmet) }
        }
        for check in fields.checks { found += check.findings(self) }
        return found
    }

    private var missing: [Diagnostic] {
        fields.fields.indices.filter { fields.required.contains($0) && !met.contains($0) }
            .map { .missingKey(fields.fields[$0].name, of: fields.subject, at: place) }
    }

    private func exactlyOne(of group: [String]) -> [Diagnostic] {
        let given = (node.entries ?? []).filter { group.contains($0.key.scalar?.text ?? "") }
        if given.count > 1 { return [.conflict(given, in: node, of: fields.subject)] }
        guard !isAnyMet(group) else { return [] }
        return [.missingOneOf(group, of: fields.subject, at: place)]
    }

    private func unmet(_ need: MappingSchema.Need) -> Diagnostic? {
        guard let entry = entry(need.key) else { return nil }
        guard let value = need.value else {
            return .missing(need.oneOf, beside: need.key, at: entry.key.span)
        }
        guard object[need.key]?.isWritten(value) == true else { return nil }
        return .missing(need.oneOf, beside: "\(need.key): \(value)", at: entry.key.span)
    }

    /// The place to report a missing key.
    var place: SourceSpan { node.entries?.first?.key.span ?? node.span }
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
            label: "\(keys.oneOf) is missing here"
        )
    }
}
