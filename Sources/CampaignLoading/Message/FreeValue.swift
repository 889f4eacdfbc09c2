import FCMWire
import YAMLSyntax

/// YAML as JSON where FCM takes any JSON, by YAML 1.2's core schema: only there a plain scalar
/// is a number, a Boolean or null by its looks.
enum FreeValue {
    static func json(_ node: SyntaxNode) -> JSONValue {
        switch node.content {
        case .scalar(let scalar): json(scalar)
        case .sequence(let nodes): .array(nodes.map(json))
        case .mapping(let entries):
            .object(
                JSONObject(
                    entries.map { entry in
                        JSONObject.Member(
                            key: entry.key.scalar?.text ?? "",
                            value: json(entry.value)
                        )
                    }
                )
            )
        }
    }

    private static func json(_ scalar: SyntaxScalar) -> JSONValue {
        guard case .plain = scalar.style else { return .string(scalar.text) }
        switch scalar.text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: return number(scalar.text) ?? .string(scalar.text)
        }
    }

    private static func number(_ text: String) -> JSONValue? {
        let unsigned = text.drop { "+-".contains($0) }
        guard text.count - unsigned.count <= 1, let first = unsigned.utf8.first,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) || first == UInt8(ascii: ".")
        else { return nil }
        if let integer = Int64(text) { return .integer(integer) }
        let isDecimal = unsigned.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
        return isDecimal ? Double(text).map(JSONValue.number) : nil
    }
}
