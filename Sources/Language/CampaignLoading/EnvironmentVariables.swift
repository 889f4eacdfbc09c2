package import CampaignModel
import Diagnostics
import Text
import YAMLSyntax

/// The values of `${NAME}`, and the environment for which they are resolved.
package struct EnvironmentVariables: Sendable {
    /// The selected environment; only its variables are resolved.
    package let environment: EnvironmentID
    package let values: [String: String]

    package init(for environment: EnvironmentID, values: [String: String]) {
        self.environment = environment
        self.values = values
    }

    /// Accepts a letter or `_`, followed by letters, digits and `_`.
    static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first, !first.isASCIIDigit else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    }
}

/// Inserts the values of environment variables into `herald.yaml`.
///
/// `${NAME}` may appear in strings below `environments`, except in an environment's `defaults`,
/// `only` and `except`. It is resolved only for the selected environment; in other environments,
/// the text stays open and is not checked. `$${` is a literal `${` everywhere. The `postgres` of a
/// source names a variable, whose value is never inserted.
struct VariableExpansion {
    let variables: EnvironmentVariables?
    var log: DiagnosticLog
    /// The values that were inserted, by the names of their variables.
    private(set) var inserted: [String: String] = [:]

    init(variables: EnvironmentVariables?, log: DiagnosticLog) {
        self.variables = variables
        self.log = log
    }

    mutating func expand(project node: SyntaxNode) -> SyntaxNode {
        guard let entries = node.entries else { return node }
        var changed: [SyntaxEntry] = []
        for entry in entries {
            let key = entry.key.scalar?.text ?? ""
            guard !key.isAuthorsKey else {
                changed.append(entry)
                continue
            }
            if SpellingSuggestion.key(key, among: ["sources"]) != nil {
                changed.append(SyntaxEntry(key: entry.key, value: sources(entry.value)))
                continue
            }
            let isHere = SpellingSuggestion.key(key, among: ["environments"]) != nil
            let value = isHere ? environments(entry.value) : expand(entry.value, in: outside(key))
            changed.append(SyntaxEntry(key: entry.key, value: value))
        }
        return SyntaxNode(span: node.span, content: .mapping(changed))
    }

    /// Leaves references to variables as they are, and reports those in other values.
    private mutating func sources(_ node: SyntaxNode) -> SyntaxNode {
        node.mappingValues { _, source in
            source.mappingValues { key, value in
                let isReference = SpellingSuggestion.key(key, among: ["postgres"]) != nil
                return isReference ? value : expand(value, in: .nowhere(isFreeText: false))
            }
        }
    }

    private mutating func environments(_ node: SyntaxNode) -> SyntaxNode {
        guard let entries = node.entries else {
            return expand(node, in: .nowhere(isFreeText: false))
        }
        var changed: [SyntaxEntry] = []
        for entry in entries {
            let isInUse = entry.key.scalar?.text == variables?.environment.rawValue
            let value = environment(entry.value, in: isInUse ? .inUse : .elsewhere)
            changed.append(SyntaxEntry(key: entry.key, value: value))
        }
        return SyntaxNode(span: node.span, content: .mapping(changed))
    }

    /// Expands an environment, except for the keys that select or change campaigns.
    private mutating func environment(_ node: SyntaxNode, in scope: Scope) -> SyntaxNode {
        guard let entries = node.entries else { return expand(node, in: scope) }
        var changed: [SyntaxEntry] = []
        for entry in entries {
            let key = entry.key.scalar?.text ?? ""
            let isOfCampaigns = ["defaults", "only", "except"].contains(key)
            let value = expand(entry.value, in: isOfCampaigns ? outside(key) : scope)
            changed.append(SyntaxEntry(key: entry.key, value: value))
        }
        return SyntaxNode(span: node.span, content: .mapping(changed))
    }

    private enum Scope {
        /// Below the selected environment.
        case inUse
        /// Below another environment.
        case elsewhere
        /// `isFreeText`: Whether `${` may be literal text.
        case nowhere(isFreeText: Bool)
    }

    private func outside(_ key: String) -> Scope {
        .nowhere(isFreeText: ["message", "about", "owner"].contains(key))
    }

    private mutating func expand(_ node: SyntaxNode, in scope: Scope) -> SyntaxNode {
        switch node.content {
        case .scalar(let scalar):
            // Few texts have the byte, and the search for it is much faster.
            guard scalar.text.utf8.contains(UInt8(ascii: "$")), scalar.text.contains("${")
            else { return node }
            return SyntaxNode(span: node.span, content: .scalar(text(scalar, of: node, in: scope)))
        case .sequence(let nodes):
            var changed: [SyntaxNode] = []
            for node in nodes { changed.append(expand(node, in: scope)) }
            return SyntaxNode(span: node.span, content: .sequence(changed))
        case .mapping(let entries):
            var changed: [SyntaxEntry] = []
            for entry in entries {
                var inner = scope
                if case .nowhere(isFreeText: false) = scope {
                    inner = outside(entry.key.scalar?.text ?? "")
                }
                changed.append(SyntaxEntry(key: entry.key, value: expand(entry.value, in: inner)))
            }
            return SyntaxNode(span: node.span, content: .mapping(changed))
        }
    }

    private mutating func text(
        _ scalar: SyntaxScalar,
        of node: SyntaxNode,
        in scope: Scope
    ) -> SyntaxScalar {
        var result = ""
        var isOpen = false
        for part in VariableText.parts(of: scalar.text) {
            switch part {
            case .literal(let text): result += text
            case .broken(let range):
                log.report(.brokenVariable(at: node.span(ofText: range)))
                isOpen = true
            case .variable(let name, let range):
                let place = node.span(ofText: range)
                if let value = value(of: name, in: scope, at: place) {
                    result += value
                } else {
                    isOpen = true
                }
            }
        }
        return scalar.replacingText(with: isOpen ? nil : result)
    }

    private mutating func value(of name: String, in scope: Scope, at span: SourceSpan) -> String? {
        switch scope {
        case .elsewhere: return nil
        case .nowhere(let isFreeText):
            log.report(.misplacedVariable(name, isFreeText: isFreeText, at: span))
            return nil
        case .inUse:
            if let value = variables?.values[name] {
                inserted[name] = value
                return value
            }
            log.report(
                .missingVariable(name, known: variables?.values.keys.sorted() ?? [], at: span)
            )
            return nil
        }
    }
}

extension SyntaxNode {
    /// Changes the values of a mapping; another node stays the same.
    fileprivate func mappingValues(
        _ change: (_ key: String, _ value: SyntaxNode) -> SyntaxNode
    ) -> SyntaxNode {
        guard let entries else { return self }
        let changed = entries.map { entry in
            let value = change(entry.key.scalar?.text ?? "", entry.value)
            return SyntaxEntry(key: entry.key, value: value)
        }
        return SyntaxNode(span: span, content: .mapping(changed))
    }
}

/// The parts of a text that contains `${NAME}`; ranges count UTF-8 bytes.
enum VariableText {
    case literal(String)
    case variable(String, Range<Int>)
    /// A `${` without a name and `}` after it.
    case broken(Range<Int>)

    static func parts(of text: String) -> [VariableText] {
        let bytes = Array(text.utf8)
        var parts: [VariableText] = []
        var start = 0
        var index = 0
        func literal(upTo end: Int) -> VariableText {
            .literal(String(decoding: bytes[start..<end], as: UTF8.self))
        }
        while index < bytes.count {
            if bytes[index...].starts(with: Array("$${".utf8)) {
                parts += [literal(upTo: index), .literal("${")]
                index += 3
                start = index
            } else if bytes[index...].starts(with: Array("${".utf8)) {
                parts.append(literal(upTo: index))
                let end = bytes[(index + 2)...].firstIndex { !isNameByte($0) } ?? bytes.count
                let name = String(decoding: bytes[index + 2..<end], as: UTF8.self)
                let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: "}")
                let isName = isClosed && EnvironmentVariables.isName(name)
                let next = isName ? end + 1 : index + 2
                parts.append(
                    isName ? .variable(name, index..<next) : .broken(index..<next)
                )
                index = next
                start = index
            } else {
                index += 1
            }
        }
        return parts + [literal(upTo: bytes.count)]
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_")
    }
}

extension Diagnostic {
    fileprivate static func brokenVariable(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .environmentVariable,
            message: "`${` must start a reference to an environment variable",
            span: span,
            label: "should be `${NAME}`",
            help: ["write `$${` for a literal `${`"]
        )
    }

    fileprivate static func misplacedVariable(
        _ name: String,
        isFreeText: Bool,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .environmentVariable,
            message: "environment variables are allowed only below `environments`, and not in what "
                + "campaigns inherit",
            span: span,
            label: "a plan must not depend on the machine that makes it",
            help: [
                isFreeText
                    ? "write `$${\(name)}` for the literal text" : "write the value"
            ]
        )
    }

    fileprivate static func missingVariable(
        _ name: String,
        known: [String],
        at span: SourceSpan
    ) -> Diagnostic {
        let near = SpellingSuggestion.nearest(to: name, among: known)
        return Diagnostic(
            rule: .environmentVariable,
            message: "the environment variable `\(name)` is not set",
            span: span,
            label: "needed for this environment",
            help: [near.map { "did you mean `\($0)`?" } ?? "set it, or choose another environment"]
        )
    }
}
