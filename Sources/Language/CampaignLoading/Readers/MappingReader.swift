package import Diagnostics
package import JSON
import Text
package import YAMLSyntax

/// An allowed key of a mapping.
package struct Field<Owner: Sendable>: Sendable {
    package let schema: MappingSchema.Field
    /// The key that replaces this required key.
    private(set) var replacement: String?
    let read: @Sendable (SyntaxNode, inout Owner, inout DiagnosticLog) -> Void

    package var name: String { schema.name }

    /// The property for the value of a key.
    ///
    /// Fields take it as an autoclosure, because creating the key paths of the whole language would
    /// make every start of the program a millisecond longer.
    package typealias Property<Value> = any WritableKeyPath<Owner, Spanned<Value>?> & Sendable

    /// `about`: The description that editors show.
    package static func optional<Value>(
        _ name: String,
        at property: @autoclosure @escaping @Sendable () -> Property<Value>,
        as reader: ValueReader<Value>,
        about: String,
        examples: [JSONValue] = []
    ) -> Field {
        field(name, isRequired: false, at: property(), as: reader, about: about, examples: examples)
    }

    package static func required<Value>(
        _ name: String,
        at property: @autoclosure @escaping @Sendable () -> Property<Value>,
        as reader: ValueReader<Value>,
        about: String,
        examples: [JSONValue] = []
    ) -> Field {
        field(name, isRequired: true, at: property(), as: reader, about: about, examples: examples)
    }

    private static func field<Value>(
        _ name: String,
        isRequired: Bool,
        at property: @autoclosure @escaping @Sendable () -> Property<Value>,
        as reader: ValueReader<Value>,
        about: String,
        examples: [JSONValue]
    ) -> Field {
        let schema = MappingSchema.Field(
            name: name,
            isRequired: isRequired,
            about: about,
            examples: examples,
            schema: reader.schema
        )
        return Field(schema: schema) { node, owner, log in
            if let value = reader.read(node, &log) {
                owner[keyPath: property()] = Spanned(value, at: node.span)
            }
        }
    }

    private init(
        schema: MappingSchema.Field,
        read: @escaping @Sendable (SyntaxNode, inout Owner, inout DiagnosticLog) -> Void
    ) {
        self.schema = schema
        self.read = read
    }

    /// The required key, in place of which a file may have another key.
    package func replaced(by key: String) -> Field {
        var field = supplied(by: key)
        field.replacement = key
        return field
    }

    /// The required key, which may be missing in the file if another key inserts it.
    package func supplied(by key: String) -> Field {
        Field(schema: schema.supplied(by: key), read: read)
    }
}

/// Reads a mapping with a fixed set of keys.
///
/// Any other key is an error; keys that begin with `x-` belong to the author and are skipped.
package struct MappingReader<Owner: Sendable>: Sendable {
    package let schema: MappingSchema
    let notBuilt: Set<String>
    private let fields: [Field<Owner>]
    private let table: KeyTable
    private let required: KeySet
    private let relations: Relations

    /// The keys that exclude or require each other, by their places in the table.
    private struct Relations {
        let groups: [KeySet]
        let oneOf: [KeySet]
        let needs: [(key: KeySet, oneOf: KeySet)]
        let exclusions: [(key: KeySet, others: KeySet)]
    }

    /// Creates a reader of a mapping that messages call `subject`, such as `a campaign`.
    ///
    /// Exactly one key of each group in `oneOf` must be present, and at most one of each in
    /// `atMostOneOf`. A key of `needs` requires its partner, and a key of `exclusions` excludes others.
    /// `notBuilt` are keys of the language that this version refuses by name.
    package init(
        _ subject: String,
        fields: [Field<Owner>],
        oneOf: [[String]] = [],
        atMostOneOf: [[String]] = [],
        needs: [MappingSchema.Need] = [],
        exclusions: [MappingSchema.Exclusion] = [],
        notBuilt: Set<String> = []
    ) {
        schema = MappingSchema(
            subject: subject,
            fields: fields.map(\.schema),
            oneOf: oneOf,
            atMostOneOf: atMostOneOf,
            needs: needs,
            exclusions: exclusions
        )
        self.fields = fields
        self.notBuilt = notBuilt
        let table = KeyTable(fields.map(\.name))
        self.table = table
        required = table.set(fields.filter(\.schema.isRequired).map(\.name))
        relations = Relations(
            groups: (oneOf + atMostOneOf).map(table.set),
            oneOf: oneOf.map(table.set),
            needs: needs.map { (table.set([$0.key]), table.set($0.oneOf)) },
            exclusions: exclusions.map { (table.set([$0.key]), table.set($0.others)) }
        )
    }

    /// The accepted keys, for tests that cover the whole language.
    package var keys: [String] { table.names }
    var subject: String { schema.subject }

    /// Returns false if the node is not a mapping.
    package func read(
        _ node: SyntaxNode,
        into owner: inout Owner,
        reportingTo log: inout DiagnosticLog
    ) -> Bool {
        guard let entries = node.entries else {
            log.report(.wrongKind(node, expected: "a mapping"))
            return false
        }
        let errors = log.errorCount
        var met = VisitedKeys()
        for number in entries.indices {
            guard let key = entries[number].key.scalar?.text, !key.isAuthorsKey else { continue }
            if let place = table.place(of: key) {
                met.known.insert(place)
                fields[place].read(entries[number].value, &owner, &log)
            } else {
                let near = reportUnknown(key, at: entries[number].key, beside: entries, to: &log)
                met.addUnknown(near, in: table)
            }
        }
        reportConflicts(in: node, entries: entries, met: met, to: &log)
        if !met.hasStranger { reportMissing(in: node, entries: entries, met: met, to: &log) }
        if log.errorCount == errors { reportUnmet(in: entries, met: met, to: &log) }
        return true
    }

    private func reportUnmet(
        in entries: [SyntaxEntry],
        met: VisitedKeys,
        to log: inout DiagnosticLog
    ) {
        for (place, need) in relations.needs.enumerated()
        where !met.known.isDisjoint(with: need.key) && met.known.isDisjoint(with: need.oneOf) {
            let need = schema.needs[place]
            guard let entry = entries.first(where: { $0.key.scalar?.text == need.key }) else {
                continue
            }
            log.report(.missing(need.oneOf, beside: need.key, at: entry.key.span))
        }
    }

    /// Returns the field that was probably intended, which is then not reported as missing.
    ///
    /// nil if it may have been any missing field.
    private func reportUnknown(
        _ key: String,
        at node: SyntaxNode,
        beside entries: [SyntaxEntry],
        to log: inout DiagnosticLog
    ) -> String? {
        if notBuilt.contains(key) {
            log.report(.notBuiltYet(key, in: subject, at: node.span))
            return key
        }
        if let help = MisplacedKey.help(for: key, in: subject) {
            let correction = KeyCorrection(help: help)
            log.report(.unknownKey(key, of: subject, at: node.span, correction: correction))
            return key
        }
        let words = table.names + notBuilt.sorted()
        let near = SpellingSuggestion.key(key, among: words)
        log.report(
            .unknownKey(
                key,
                of: subject,
                at: node.span,
                correction: KeyCorrection(
                    to: near,
                    among: table.names,
                    of: subject,
                    fix: near.map { node.fix(writing: $0, among: words, beside: entries) }
                )
            )
        )
        return near
    }

    private func reportConflicts(
        in node: SyntaxNode,
        entries: [SyntaxEntry],
        met: VisitedKeys,
        to log: inout DiagnosticLog
    ) {
        for (place, group) in relations.groups.enumerated()
        where met.hasUnknown || met.known.intersection(group).count > 1 {
            let names =
                place < schema.oneOf.count
                ? schema.oneOf[place] : schema.atMostOneOf[place - schema.oneOf.count]
            let given = entries.filter { names.contains($0.key.scalar?.text ?? "") }
            if given.count > 1 { log.report(.conflict(given, in: node, of: subject)) }
        }
        for (place, exclusion) in relations.exclusions.enumerated()
        where !met.known.isDisjoint(with: exclusion.key)
            && !met.known.isDisjoint(with: exclusion.others)
        {
            let names = schema.exclusions[place]
            let key = entries.filter { $0.key.scalar?.text == names.key }
            for other in entries where names.others.contains(other.key.scalar?.text ?? "") {
                log.report(.conflict(key + [other], in: node, of: subject))
            }
        }
    }

    private func reportMissing(
        in node: SyntaxNode,
        entries: [SyntaxEntry],
        met: VisitedKeys,
        to log: inout DiagnosticLog
    ) {
        let place = entries.first?.key.span ?? node.span
        let missing = required.subtracting(met.known)
        if !missing.isEmpty {
            for number in fields.indices
            where missing.contains(number) && !isReplaced(number, by: met) {
                log.report(.missingKey(fields[number].name, of: subject, at: place))
            }
        }
        for (number, group) in relations.oneOf.enumerated()
        where met.known.isDisjoint(with: group) && !met.hasNotBuilt {
            log.report(.missingOneOf(schema.oneOf[number], of: subject, at: place))
        }
    }

    /// Whether the mapping has the key that replaces a field.
    private func isReplaced(_ number: Int, by met: VisitedKeys) -> Bool {
        guard let replacement = fields[number].replacement else { return false }
        return table.place(of: replacement).map(met.known.contains) ?? false
    }
}

/// The keys of a mapping, as far as they are recognized.
private struct VisitedKeys {
    /// Includes misspelled keys.
    var known = KeySet()
    private(set) var hasUnknown = false
    /// Whether there is a key that may be any of the missing ones.
    private(set) var hasStranger = false
    /// Whether there is a key of the language that this version refuses.
    private(set) var hasNotBuilt = false

    /// `meant`: The key that was probably intended.
    mutating func addUnknown(_ meant: String?, in table: KeyTable) {
        hasUnknown = true
        guard let meant else {
            hasStranger = true
            return
        }
        if let place = table.place(of: meant) {
            known.insert(place)
        } else {
            hasNotBuilt = true
        }
    }
}

extension Diagnostic {
    static func later(
        _ key: String,
        in subject: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .notBuiltYet,
            severity: .note,
            message: "`\(key)` in \(subject) is not supported yet",
            span: span,
            label: "checked, but plan and apply refuse it",
            help: ["remove it to plan: Herald rejects keys that it cannot act on"]
        )
    }

    /// A key that the mapping inherits is outside of it, and its own is the second.
    static func conflict(
        _ entries: [SyntaxEntry],
        in mapping: SyntaxNode,
        of subject: String
    ) -> Diagnostic {
        let inherited = entries.filter { !mapping.span.contains($0.key.span) }
        let own = entries.filter { mapping.span.contains($0.key.span) }
        let given = inherited.inOrder + own.inOrder
        let names = given.prefix(2).map { "`\($0.key.scalar?.text ?? "")`" }
        let isMerged = given[0].place != given[1].place
        let inheritedValue = given[0].place == 0 ? "default" : "inherited value"
        return Diagnostic(
            rule: .conflictingKeys,
            message: "\(subject) cannot have both \(names.joined(separator: " and "))",
            span: given[1].key.span,
            label: "the second of the two",
            related: [RelatedPlace(span: given[0].key.span, message: "the first")],
            help: [
                isMerged
                    ? "write `\(names[0].dropFirst().dropLast()): ~` to remove the \(inheritedValue)"
                    : "remove one of them"
            ]
        )
    }

    static func missingOneOf(
        _ names: [String],
        of subject: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "\(subject) needs exactly one kind",
            span: span,
            label: "\(names.oneOf) is missing here"
        )
    }
}

extension SyntaxEntry {
    /// The file; 0 is the project file.
    fileprivate var place: UInt32 { key.span.source.index }
}

extension [SyntaxEntry] {
    /// By file and offset.
    fileprivate var inOrder: [SyntaxEntry] {
        sorted { ($0.place, $0.key.span.start) < ($1.place, $1.key.span.start) }
    }
}
