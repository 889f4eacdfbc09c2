import Diagnostics
import FCMWire
import YAMLSyntax

extension MessageReader {
    /// Values are text exactly as written: `850`, `2:45` and `no` need no quotation marks.
    mutating func readData(_ node: SyntaxNode, at path: [String]) -> JSONValue? {
        guard let entries = requireEntries(node) else { return nil }
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
            note(entry, at: path + [key])
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
