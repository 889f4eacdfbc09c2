import Diagnostics
import JSON
import Text
import YAMLSyntax

/// Converts YAML to JSON in places that accept any JSON, by YAML 1.2's core schema.
///
/// Only in such places is a plain scalar a number, a Boolean or null by its form.
enum FreeValue {
    /// Reports a number that JSON cannot represent exactly, instead of rounding it.
    static func json(_ node: SyntaxNode, reportingTo log: inout DiagnosticLog) -> JSONValue {
        switch node.content {
        case .scalar(let scalar): return json(scalar, of: node, reportingTo: &log)
        case .sequence(let nodes): return .array(nodes.map { json($0, reportingTo: &log) })
        case .mapping(let entries):
            let members = entries.map { entry in
                JSONObject.Member(
                    key: entry.key.scalar?.text ?? "",
                    value: json(entry.value, reportingTo: &log)
                )
            }
            return .object(JSONObject(members))
        }
    }

    private static func json(
        _ scalar: SyntaxScalar,
        of node: SyntaxNode,
        reportingTo log: inout DiagnosticLog
    ) -> JSONValue {
        guard case .plain = scalar.style else { return .string(scalar.text) }
        switch scalar.text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            guard let value = number(scalar.text) else { return .string(scalar.text) }
            if let problem = Diagnostic.changedNumber(scalar.text, to: value, at: node.span) {
                log.report(problem)
            }
            return value
        }
    }

    /// Returns an integer if it fits 64 bits, otherwise the nearest decimal, which may be infinite.
    ///
    /// nil if the text is not a number.
    static func number(_ text: String) -> JSONValue? {
        guard looksLikeNumber(text) else { return nil }
        return Int64(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number)
    }

    private static func looksLikeNumber(_ text: String) -> Bool {
        let unsigned = text.drop { "+-".contains($0) }
        guard text.count - unsigned.count <= 1, let first = unsigned.utf8.first,
            first.isASCIIDigit || first == UInt8(ascii: ".")
        else { return false }
        return unsigned.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
    }
}

/// A decimal number as digits without outer zeros, times a power of ten.
private struct DecimalDigits: Equatable {
    private var digits: Substring
    private var exponent: Int

    /// - Parameter text: a number without a leading `+`.
    init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == "e" || $0 == "E"
        }
        let halves = parts[0].drop { $0 == "-" }
            .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = halves.count > 1 ? halves[1] : ""
        guard let power = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
        digits = (String(halves[0]) + fraction).drop { $0 == "0" }
        exponent = power - fraction.utf8.count
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { exponent = 0 }
    }
}

extension Diagnostic {
    /// Reports a number that differs from the number that would be sent.
    ///
    /// Other spellings of the same number, such as `1.10`, are correct. Leading zeros and a leading
    /// `+` are reported, because they show that the author's value is not a number; they would be
    /// lost.
    fileprivate static func changedNumber(
        _ text: String,
        to value: JSONValue,
        at span: SourceSpan
    ) -> Diagnostic? {
        switch value {
        case .integer(let number):
            return text == "\(number)" ? nil : .changed(text, to: "\(number)", at: span)
        case .number(let number):
            guard number.isFinite, text.contains(where: { ".eE".contains($0) }) else {
                return .inexactNumber(text, at: span)
            }
            let sent = "\(number)"
            let isSame = DecimalDigits(text) == DecimalDigits(sent)
            return isSame && !text.hasAdornment ? nil : .changed(text, to: sent, at: span)
        default: return nil
        }
    }

    private static func changed(
        _ text: String,
        to sent: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "\(text) cannot be sent exactly as written",
            span: span,
            label: "as a number it would be sent as \(sent)",
            help: ["quote it to send text, or write the number \(sent)"]
        )
    }

    private static func inexactNumber(_ text: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "\(text) is too large to be sent exactly",
            span: span,
            label: "whole numbers are from -2^63 to 2^63 - 1",
            help: ["quote it to send text"]
        )
    }
}

extension String {
    /// Whether a number begins with `+` or with a zero before another digit.
    fileprivate var hasAdornment: Bool {
        let unsigned = drop { $0 == "-" }
        guard let next = unsigned.dropFirst().first else { return unsigned.first == "+" }
        return unsigned.first == "+" || unsigned.first == "0" && next.isNumber
    }
}
