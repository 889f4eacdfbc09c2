import Diagnostics
import JSON
import Text
import YAMLSyntax

/// Traverses a node and a shape together.
///
/// Invalid values are reported and omitted.
struct MessageReader {
    /// The findings in this message, even if they were also found under another campaign.
    var log = DiagnosticLog()
    /// Whether the content is complete.
    ///
    /// Missing keys are not reported for a part that is merged into others.
    private var isWhole: Bool

    init(isWhole: Bool) {
        self.isWhole = isWhole
    }

    mutating func read(
        _ node: SyntaxNode,
        as shape: MessageShape
    ) -> JSONValue? {
        switch shape {
        case .text(let domain): return readText(node, in: domain)
        case .flag: return ValueReader<Bool>.flag.read(node, &log).map(JSONValue.bool)
        case .integer(let range):
            return ValueReader<Int64>.integer(range).read(node, &log).map(JSONValue.integer)
        case .number(let range): return readNumber(node, in: range)
        case .choice(let values):
            return readChoice(node, among: values, reportingTo: &log).map(JSONValue.string)
        case .header(let values): return readHeader(node, among: values)
        case .list(let element): return readList(node, of: element)
        case .dataMap: return readData(node)
        case .free: return FreeValue.json(node, reportingTo: &log)
        case .freeObject:
            return requireEntries(node) == nil ? nil : FreeValue.json(node, reportingTo: &log)
        case .object(let fields): return readObject(node, fields: fields)
        case .textOr(let fields) where node.entries != nil:
            return readObject(node, fields: fields)
        case .textOr: return readText(node, in: .orMapping)
        }
    }

    private mutating func read(_ node: SyntaxNode, as shape: StaticSchemaReference) -> JSONValue? {
        switch shape {
        case .object(let fields): fields._withUnsafeGuaranteedRef { readObject(node, fields: $0) }
        case .other(let box): box._withUnsafeGuaranteedRef { read(node, as: $0.shape) }
        }
    }

    mutating func requireEntries(_ node: SyntaxNode, hint: String? = nil) -> [SyntaxEntry]? {
        guard let entries = node.entries else {
            log.report(.wrongKind(node, expected: "a mapping", help: hint))
            return nil
        }
        return entries
    }

    private mutating func readList(
        _ node: SyntaxNode,
        of element: MessageShape
    ) -> JSONValue? {
        guard let nodes = node.elements else {
            log.report(.wrongKind(node, expected: "a list"))
            return nil
        }
        // Lists are not merged, so their content is complete.
        let isListWhole = isWhole
        isWhole = true
        defer { isWhole = isListWhole }
        var values: [JSONValue] = []
        for node in nodes {
            if let value = read(node, as: element) {
                values.append(value)
            }
        }
        return .array(values)
    }
}

// MARK: - Objects

extension MessageReader {
    private mutating func readObject(
        _ node: SyntaxNode,
        fields: MessageFields
    ) -> JSONValue? {
        guard let entries = requireEntries(node, hint: fields.hint) else { return nil }
        let findings = log.count
        var object = JSONObject()
        var met = KeySet()
        object.reserveCapacity(entries.count)
        for number in entries.indices {
            guard let key = entries[number].key.scalar?.text else { continue }
            if let place = fields.table.place(of: key) {
                met.insert(place)
                if fields.remarkable.contains(place) {
                    remark(on: entries[number], field: fields.fields[place], in: fields)
                }
                if let value = read(entries[number].value, as: fields.shapes[place]) {
                    object.append(key, value: value)
                }
            } else if fields.moved[key] == nil, fields.takesAsFree(entries[number]) {
                object.append(key, value: FreeValue.json(entries[number].value, reportingTo: &log))
            } else if !key.isAuthorsKey,
                let meant = reportUnknown(key, among: fields, at: entries[number], beside: entries)
            {
                if let place = fields.table.place(of: meant) { met.insert(place) }
            }
        }
        guard isWhole, fields.hasRelations else { return .object(object) }
        let mapping = MessageMapping(
            node: node,
            fields: fields,
            object: object,
            met: met,
            isSound: log.count == findings
        )
        for finding in mapping.findings { log.report(finding) }
        return .object(object)
    }

    private mutating func remark(
        on entry: SyntaxEntry,
        field: MessageField,
        in fields: MessageFields
    ) {
        if let deprecation = field.deprecation {
            log.report(
                .deprecated(field.name, of: fields.subject, help: deprecation, at: entry.key.span)
            )
        }
        if field.isNotBuilt {
            log.report(.later(field.name, in: fields.subject, at: entry.key.span))
        }
    }

    /// Returns the key that was probably intended.
    private mutating func reportUnknown(
        _ key: String,
        among fields: MessageFields,
        at entry: SyntaxEntry,
        beside entries: [SyntaxEntry]
    ) -> String? {
        if fields.fields.isEmpty {
            log.report(.keyOfEmpty(key, of: fields.subject, at: entry.key))
            return nil
        }
        if let moved = fields.moved[key] {
            let isFree = !entries.contains { $0.key.scalar?.text == moved.replacement }
            let fix = moved.replacement.map { entry.key.fix(writing: $0, isSure: isFree) }
            let correction = KeyCorrection(help: moved.help, fix: fix)
            log.report(
                .unknownKey(
                    key,
                    of: fields.subject,
                    at: entry.key.span,
                    correction: correction
                )
            )
            return moved.replacement
        }
        let known = fields.fields.map(\.name)
        let near = SpellingSuggestion.key(key, among: known)
        log.report(
            .unknownKey(
                key,
                of: fields.subject,
                at: entry.key.span,
                correction: KeyCorrection(
                    to: near,
                    among: known,
                    of: fields.subject,
                    fix: near.map { fields.fix(entry.key, writing: $0, beside: entries) }
                )
            )
        )
        return near
    }
}
