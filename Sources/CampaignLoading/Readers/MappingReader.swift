package import Diagnostics
package import YAMLSyntax

/// A key that a mapping may have.
package struct Field<Owner: Sendable>: Sendable {
    package let name: String
    let isRequired: Bool
    let read: @Sendable (SyntaxNode, inout Owner, inout DiagnosticLog) -> Void

    package static func optional<Value>(
        _ name: String,
        _ property: any WritableKeyPath<Owner, Spanned<Value>?> & Sendable,
        _ reader: ValueReader<Value>
    ) -> Field {
        Field(name: name, isRequired: false) { node, owner, log in
            if let value = reader.read(node, &log) {
                owner[keyPath: property] = Spanned(value, at: node.span)
            }
        }
    }

    package static func required<Value>(
        _ name: String,
        _ property: any WritableKeyPath<Owner, Spanned<Value>?> & Sendable,
        _ reader: ValueReader<Value>
    ) -> Field {
        let field = optional(name, property, reader)
        return Field(name: name, isRequired: true, read: field.read)
    }

    private init(
        name: String,
        isRequired: Bool,
        read: @escaping @Sendable (SyntaxNode, inout Owner, inout DiagnosticLog) -> Void
    ) {
        self.name = name
        self.isRequired = isRequired
        self.read = read
    }
}

/// Reads a mapping with a fixed set of keys.
///
/// What is no such key is an error; keys that begin with `x-` belong to the author and are passed
/// over.
package struct MappingReader<Owner: Sendable>: Sendable {
    let subject: String
    let notBuilt: Set<String>
    private let fields: [String: Field<Owner>]
    private let fieldNames: [String]

    /// A reader of what messages call `subject`, such as `a campaign`.
    ///
    /// `notBuilt` are keys of the language that this version refuses by name.
    package init(_ subject: String, _ fields: [Field<Owner>], notBuilt: Set<String> = []) {
        self.subject = subject
        self.fields = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) })
        self.fieldNames = fields.map(\.name)
        self.notBuilt = notBuilt
    }

    /// The keys that are read, for tests that go through the whole language.
    package var keys: [String] { fieldNames }

    /// Returns false where the node is no mapping at all.
    package func read(
        _ node: SyntaxNode,
        into owner: inout Owner,
        _ log: inout DiagnosticLog
    ) -> Bool {
        guard let entries = node.entries else {
            log.report(.wrongKind(node, expected: "a mapping"))
            return false
        }
        var met: Set<String> = []
        for entry in entries {
            guard let key = entry.key.scalar?.text, !key.hasPrefix("x-") else { continue }
            if let field = fields[key] {
                met.insert(key)
                field.read(entry.value, &owner, &log)
            } else {
                reportUnknown(key, at: entry.key.span, &met, &log)
            }
        }
        let place = entries.first?.key.span ?? node.span
        for name in fieldNames where fields[name]?.isRequired == true && !met.contains(name) {
            log.report(.missingKey(name, of: subject, at: place))
        }
        return true
    }

    /// The field that was probably meant counts as met: it is not reported as missing too.
    private func reportUnknown(
        _ key: String,
        at span: SourceSpan,
        _ met: inout Set<String>,
        _ log: inout DiagnosticLog
    ) {
        if notBuilt.contains(key) {
            log.report(.notBuiltYet(key, in: subject, at: span))
            return
        }
        let near = SpellingSuggestion.nearest(to: key, among: fieldNames + notBuilt.sorted())
        if let near { met.insert(near) }
        log.report(.unknownKey(key, of: subject, near: near, known: fieldNames, at: span))
    }
}
