import Diagnostics
import FCMWire
import YAMLSyntax

/// Walks a node and a shape together.
///
/// What is wrong is reported and left out.
struct MessageReader {
    var log: DiagnosticLog
    private(set) var spans: [[String]: SourceSpan] = [:]
    private(set) var keySpans: [[String]: SourceSpan] = [:]

    init(log: DiagnosticLog) {
        self.log = log
    }

    mutating func read(
        _ node: SyntaxNode,
        as shape: MessageShape,
        at path: [String]
    ) -> JSONValue? {
        spans[path] = node.span
        switch shape {
        case .text(let domain): return readText(node, domain)
        case .integer(let range):
            return ValueReader<Int64>.integer(range).read(node, &log).map(JSONValue.integer)
        case .choice(let values): return readChoice(node, among: values, &log).map(JSONValue.string)
        case .dataMap: return readData(node, at: path)
        case .object(let fields): return readObject(node, fields, at: path)
        case .textOr(let fields) where node.entries != nil:
            return readObject(node, fields, at: path)
        case .textOr: return readText(node, .orMapping)
        }
    }

    private mutating func readText(_ node: SyntaxNode, _ domain: TextDomain) -> JSONValue? {
        guard let scalar = node.requireScalar(domain.expected, &log) else { return nil }
        guard domain.contains(scalar.text) else {
            log.report(
                .unacceptable(
                    domain.rule,
                    scalar.text,
                    expected: domain.expected,
                    at: node.span,
                    help: domain.help
                )
            )
            return nil
        }
        return .string(scalar.text)
    }

    private mutating func readObject(
        _ node: SyntaxNode,
        _ fields: MessageFields,
        at path: [String]
    ) -> JSONValue? {
        guard let entries = node.entries else {
            log.report(.wrongKind(node, expected: "a mapping"))
            return nil
        }
        var object = JSONObject()
        for entry in entries {
            guard let key = entry.key.scalar?.text else { continue }
            let place = path + [key]
            keySpans[place] = entry.key.span
            if let shape = fields.shape(of: key) {
                if let value = read(entry.value, as: shape, at: place) { object[key] = value }
            } else if case .free = fields.others, !fields.isMisspelling(entry) {
                spans[place] = entry.value.span
                object[key] = FreeValue.json(entry.value, &log)
            } else if !key.hasPrefix("x-") {
                reportUnknown(key, fields, at: entry.key.span)
            }
        }
        return .object(object)
    }

    private mutating func reportUnknown(
        _ key: String,
        _ fields: MessageFields,
        at span: SourceSpan
    ) {
        if fields.notBuilt.contains(key) {
            log.report(.notBuiltYet(key, in: fields.subject, at: span))
            return
        }
        let known = fields.fields.map(\.name)
        let near = SpellingSuggestion.key(key, among: known + fields.notBuilt.sorted())
        log.report(.unknownKey(key, of: fields.subject, near: near, known: known, at: span))
    }
}

// MARK: - Data

extension MessageReader {
    /// Values are text exactly as written: `850`, `2:45` and `no` need no quotation marks.
    private mutating func readData(_ node: SyntaxNode, at path: [String]) -> JSONValue? {
        guard let entries = node.entries else {
            log.report(.wrongKind(node, expected: "a mapping"))
            return nil
        }
        var object = JSONObject()
        for entry in entries {
            guard let key = entry.key.scalar?.text else { continue }
            if let refusal = Self.reservation(key) {
                log.report(.reservedDataKey(key, refusal, at: entry.key.span))
            }
            guard let scalar = entry.value.scalar, !entry.value.isNull else {
                log.report(.dataValue(entry.value))
                continue
            }
            spans[path + [key]] = entry.value.span
            keySpans[path + [key]] = entry.key.span
            object[key] = .string(scalar.text)
        }
        return .object(object)
    }

    /// The names that FCM keeps for itself (Firebase reference, ErrorCode, INVALID_ARGUMENT).
    private static func reservation(_ key: String) -> Diagnostic.Refusal? {
        if key == "from" || key == "message_type" { return .exactly }
        return ["google.", "gcm.notification."].first { key.hasPrefix($0) }
            .map(Diagnostic.Refusal.prefix)
    }
}

extension Diagnostic {
    enum Refusal {
        case exactly
        case prefix(String)
    }

    fileprivate static func reservedDataKey(
        _ key: String,
        _ refusal: Refusal,
        at span: SourceSpan
    ) -> Diagnostic {
        let label =
            switch refusal {
            case .exactly: "reserved"
            case .prefix(let prefix): "everything that begins with `\(prefix)` is reserved"
            }
        return Diagnostic(
            rule: .reservedDataKey,
            message: "FCM keeps the data key `\(key)` for itself",
            span: span,
            label: label,
            help: ["choose another name"]
        )
    }

    fileprivate static func dataValue(_ node: SyntaxNode) -> Diagnostic {
        Diagnostic(
            rule: .dataValue,
            message: "a value in `data` is text, found \(node.isNull ? "nothing" : node.kindName)",
            span: node.span,
            label: "should be text",
            help: ["FCM takes strings only: write \"\" for an empty one, or JSON as text"]
        )
    }
}
