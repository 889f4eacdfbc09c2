import Diagnostics
import FCMWire
import YAMLSyntax

/// YAML as JSON where FCM takes any JSON, by YAML 1.2's core schema: only there a plain scalar
/// is a number, a Boolean or null by its looks.
enum FreeValue {
    /// A number that JSON can't carry as it stands is reported, never rounded.
    static func json(_ node: SyntaxNode, _ log: inout DiagnosticLog) -> JSONValue {
        switch node.content {
        case .scalar(let scalar): return json(scalar, node, &log)
        case .sequence(let nodes): return .array(nodes.map { json($0, &log) })
        case .mapping(let entries):
            let members = entries.map { entry in
                JSONObject.Member(
                    key: entry.key.scalar?.text ?? "",
                    value: json(entry.value, &log)
                )
            }
            return .object(JSONObject(members))
        }
    }

    private static func json(
        _ scalar: SyntaxScalar,
        _ node: SyntaxNode,
        _ log: inout DiagnosticLog
    ) -> JSONValue {
        guard case .plain = scalar.style else { return .string(scalar.text) }
        switch scalar.text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            guard let value = number(scalar.text) else { return .string(scalar.text) }
            if case .number(let number) = value,
                !number.isFinite || !scalar.text.contains(where: { ".eE".contains($0) })
            {
                log.report(.inexactNumber(scalar.text, at: node.span))
            }
            return value
        }
    }

    /// A whole number where it fits 64 bits, otherwise the nearest decimal, perhaps infinite; nil
    /// where the text is no number.
    static func number(_ text: String) -> JSONValue? {
        guard looksLikeNumber(text) else { return nil }
        return Int64(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number)
    }

    private static func looksLikeNumber(_ text: String) -> Bool {
        let unsigned = text.drop { "+-".contains($0) }
        guard text.count - unsigned.count <= 1, let first = unsigned.utf8.first,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) || first == UInt8(ascii: ".")
        else { return false }
        return unsigned.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
    }
}

extension Diagnostic {
    fileprivate static func inexactNumber(_ text: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "\(text) is too large to be carried over as it stands",
            span: span,
            label: "whole numbers are from -2^63 to 2^63 - 1",
            help: ["write it in quotation marks, as text"]
        )
    }
}
