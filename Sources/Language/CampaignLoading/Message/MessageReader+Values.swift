import Diagnostics
import JSON
import Text
import YAMLSyntax

extension MessageReader {
    mutating func readText(_ node: SyntaxNode, in domain: TextDomain) -> JSONValue? {
        guard let scalar = node.scalar, !node.isNull else {
            let help = node.isNull ? domain.help : nil
            log.report(.wrongKind(node, expected: domain.expected, help: help))
            return nil
        }
        if scalar.isOpen { return nil }
        guard domain.contains(scalar.text) else {
            log.report(.outside(domain, text: scalar.text, at: node.span))
            return nil
        }
        return .string(scalar.text)
    }

    mutating func readNumber(_ node: SyntaxNode, in range: ClosedRange<Double>) -> JSONValue? {
        guard let scalar = node.requireScalar("a number", reportingTo: &log) else { return nil }
        guard let value = FreeValue.number(scalar.text), let number = value.doubleValue else {
            log.report(.wrongKind(node, expected: "a number"))
            return nil
        }
        guard range.contains(number) else {
            log.report(.outOfRange(scalar.text, range: range, at: node.span))
            return nil
        }
        return value
    }

    mutating func readHeader(_ node: SyntaxNode, among values: [String]) -> JSONValue? {
        guard let scalar = node.requireScalar(values.oneOf, reportingTo: &log) else { return nil }
        guard values.contains(scalar.text) else {
            log.report(.unknownHeaderValue(scalar.text, among: values, at: node))
            return nil
        }
        return .string(scalar.text)
    }
}

extension JSONValue {
    fileprivate var doubleValue: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
