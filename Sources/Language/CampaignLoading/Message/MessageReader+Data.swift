import Diagnostics
import JSON
import YAMLSyntax

extension MessageReader {
    /// Values are the exact source text: `850`, `2:45` and `no` need no quotation marks.
    mutating func readData(_ node: SyntaxNode) -> JSONValue? {
        guard let entries = requireEntries(node) else { return nil }
        var object = JSONObject()
        for entry in entries {
            guard let key = entry.key.scalar?.text else { continue }
            if let refusal = DataKey.reservation(key) {
                log.report(.reservedDataKey(key, refusal: refusal, at: entry.key.span))
            }
            guard let scalar = entry.value.scalar, !entry.value.isNull else {
                log.report(.dataValue(entry.value))
                continue
            }
            object.append(key, value: .string(scalar.text))
        }
        return .object(object)
    }
}

/// The names of data, except those that FCM reserves (Firebase reference, ErrorCode,
/// INVALID_ARGUMENT).
enum DataKey {
    private static let reserved = ["from", "message_type"]
    private static let reservedPrefixes = ["google.", "gcm.notification."]

    fileprivate static func reservation(_ key: String) -> Diagnostic.Refusal? {
        if reserved.contains(key) { return .exactly }
        return reservedPrefixes.first { key.hasPrefix($0) }.map(Diagnostic.Refusal.prefix)
    }

    static let form: TextForm = {
        let names = reserved.map { "\($0)$" }
        let prefixes = reservedPrefixes.map { prefix in
            prefix.split(separator: ".").joined(separator: "\\.") + "\\."
        }
        return TextForm(pattern: "(?!\((names + prefixes).joined(separator: "|")))[\\s\\S]*")
    }()
}

extension Diagnostic {
    fileprivate enum Refusal {
        case exactly
        case prefix(String)
    }

    fileprivate static func reservedDataKey(
        _ key: String,
        refusal: Refusal,
        at span: SourceSpan
    ) -> Diagnostic {
        let label =
            switch refusal {
            case .exactly: "reserved"
            case .prefix(let prefix): "keys that begin with `\(prefix)` are reserved"
            }
        return Diagnostic(
            rule: .reservedDataKey,
            message: "the data key `\(key)` is reserved by FCM",
            span: span,
            label: label,
            help: ["choose another name"]
        )
    }

    fileprivate static func dataValue(_ node: SyntaxNode) -> Diagnostic {
        Diagnostic(
            rule: .dataValue,
            message: "a value in `data` must be text, found "
                + "\(node.isNull ? "nothing" : node.kindName)",
            span: node.span,
            label: "should be text",
            help: ["FCM accepts only strings: write \"\" for an empty one, or JSON as text"]
        )
    }
}
