package import Diagnostics
import Text
package import YAMLSyntax

/// Converts a YAML node to a value, or reports why it cannot and returns nil.
///
/// The declared type of the field determines how the scalar's text is decoded; YAML's implicit
/// types have no effect.
package struct ValueReader<Value: Sendable>: Sendable {
    package let schema: ValueSchema
    package let read: @Sendable (SyntaxNode, inout DiagnosticLog) -> Value?

    package init(
        _ schema: ValueSchema,
        read: @escaping @Sendable (SyntaxNode, inout DiagnosticLog) -> Value?
    ) {
        self.schema = schema
        self.read = read
    }

    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueReader<Other> {
        ValueReader<Other>(schema) { node, log in read(node, &log).map(transform) }
    }
}

extension ValueReader {
    /// Reads text that `parse` accepts; other text is reported as not the expected one.
    ///
    /// `respell` converts text with only one possible meaning to the form that `parse` accepts.
    static func scalar(
        _ expected: ExpectedText,
        schema: ValueSchema,
        respell: @escaping @Sendable (String) -> String? = { _ in nil },
        parse: @escaping @Sendable (String) -> Value?
    ) -> ValueReader {
        ValueReader(schema) { node, log in
            guard let scalar = node.requireScalar(expected.wording, reportingTo: &log) else {
                return nil
            }
            guard let value = parse(scalar.text) else {
                let meant = respell(scalar.text).flatMap { parse($0) == nil ? nil : $0 }
                log.report(
                    .unacceptable(
                        scalar.written,
                        expected: expected.meaning(meant),
                        at: node.span,
                        fix: meant.map { node.fix(writing: $0, isSure: true) }
                    )
                )
                return nil
            }
            return value
        }
    }
}

extension SyntaxNode {
    /// Returns the scalar of this node; reports any other node as the wrong kind.
    ///
    /// An open text returns nil without a report.
    func requireScalar(
        _ expected: @autoclosure () -> String,
        reportingTo log: inout DiagnosticLog
    ) -> SyntaxScalar? {
        guard let scalar, !isNull else {
            log.report(.wrongKind(self, expected: expected()))
            return nil
        }
        return scalar.isOpen ? nil : scalar
    }
}

extension ValueReader where Value == String {
    /// Reads text unchanged.
    package static let text = ValueReader(.text(.any)) { node, log in
        node.requireScalar("text", reportingTo: &log)?.text
    }
}

extension ValueReader where Value == Bool {
    package static let flag = ValueReader.scalar(
        ExpectedText("`true` or `false`", rule: .wrongKind),
        schema: .flag,
        respell: Notation.flag,
        parse: { ["true": true, "false": false][$0] }
    )
}

extension ValueReader where Value == Int64 {
    package static func integer(_ range: ClosedRange<Int64>) -> ValueReader {
        ValueReader(.integer(range)) { node, log in
            guard let scalar = node.requireScalar("a whole number", reportingTo: &log) else {
                return nil
            }
            guard let number = Int64(scalar.text) else {
                log.report(
                    scalar.text.isWholeNumber
                        ? .outOfRange(scalar.text, range: range, at: node.span)
                        : .wrongKind(node, expected: "a whole number")
                )
                return nil
            }
            guard range.contains(number) else {
                log.report(.outOfRange(scalar.text, range: range, at: node.span))
                return nil
            }
            return number
        }
    }
}

extension String {
    /// Whether the text is an integer of any size.
    fileprivate var isWholeNumber: Bool {
        let digits = utf8.drop { "+-".utf8.contains($0) }
        return utf8.count - digits.count <= 1 && !digits.isEmpty
            && digits.allSatisfy(\.isASCIIDigit)
    }
}

extension ValueReader where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// Reads an enumeration's value by its raw value.
    package static var choice: ValueReader {
        let values = Value.allCases.map(\.rawValue)
        return ValueReader(.choice(values)) { node, log in
            readChoice(node, among: values, reportingTo: &log).flatMap(Value.init(rawValue:))
        }
    }
}

/// Reads one of the given values; another value is reported with the nearest as a suggestion.
func readChoice(
    _ node: SyntaxNode,
    among values: [String],
    reportingTo log: inout DiagnosticLog
) -> String? {
    guard let scalar = node.requireScalar(values.oneOf, reportingTo: &log) else { return nil }
    guard values.contains(scalar.text) else {
        log.report(.unknownValue(scalar.written, among: values, at: node))
        return nil
    }
    return scalar.text
}
