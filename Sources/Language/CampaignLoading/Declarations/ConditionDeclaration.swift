package import CampaignModel
package import Diagnostics
import YAMLSyntax

/// A condition and the place of its text.
package struct ConditionDeclaration: Sendable {
    package let condition: Condition
    private let node: SyntaxNode

    /// `node`: The scalar that contains the condition.
    init(_ condition: Condition, in node: SyntaxNode) {
        self.condition = condition
        self.node = node
    }

    /// Returns the span of a part of the condition's text, inside its quotes.
    ///
    /// If the file's text is not verbatim, it returns the span of the whole value.
    package func span(of range: Range<Int>) -> SourceSpan { node.span(ofText: range) }

    /// The span of the whole expression.
    package var span: SourceSpan { span(of: condition.syntax.range) }

    /// Returns an edit that replaces a part of the condition's text.
    ///
    /// If the file's text is not verbatim or not quoted, the edit rewrites the whole value on one
    /// line; no character of a condition needs an escape. The result is nil if the edit would
    /// produce an invalid condition with too many parentheses.
    package func fix(
        _ range: Range<Int>,
        with replacement: String,
        applicability: Fix.Applicability = .suggested
    ) -> Fix? {
        guard isCondition(range, replacement: replacement) else { return nil }
        if let scalar = node.scalar, scalar.style != .plain, scalar.verbatimStart != nil {
            return Fix(
                span: span(of: range),
                replacement: replacement,
                applicability: applicability
            )
        }
        let blank = UInt8(ascii: " ")
        let bytes = condition.text.utf8.map { $0 < blank ? blank : $0 }
        let whole = condition.syntax.range
        let before = String(decoding: bytes[whole.lowerBound..<range.lowerBound], as: UTF8.self)
        let after = String(decoding: bytes[range.upperBound..<whole.upperBound], as: UTF8.self)
        return Fix(
            span: node.span,
            replacement: "\"\(before)\(replacement)\(after)\"",
            applicability: applicability
        )
    }

    private func isCondition(_ range: Range<Int>, replacement: String) -> Bool {
        var bytes = Array(condition.text.utf8)
        bytes.replaceSubrange(range, with: replacement.utf8)
        return (try? Condition(parsing: String(decoding: bytes, as: UTF8.self))) != nil
    }
}

extension ValueReader where Value == ConditionDeclaration {
    package static let condition = ValueReader(
        .text(TextForm(pattern: "[!\\s(]*'[^']+'\\s*in\\s+topics[\\s\\S]*"))
    ) { node, log in
        guard let scalar = node.requireScalar("a condition", reportingTo: &log) else { return nil }
        do throws(ConditionError) {
            return ConditionDeclaration(try Condition(parsing: scalar.text), in: node)
        } catch {
            log.report(.condition(error, in: node))
            return nil
        }
    }
}

extension Diagnostic {
    fileprivate static func condition(_ error: ConditionError, in node: SyntaxNode) -> Diagnostic {
        let (rule, message, label, help) = words(for: error.problem)
        return Diagnostic(
            rule: rule,
            message: message,
            span: node.span(ofText: error.range),
            label: label,
            help: help.map { [$0] } ?? []
        )
    }

    private static func words(
        for problem: ConditionError.Problem
    ) -> (RuleID, message: String, label: String, help: String?) {
        let example = "such as \"'tides' in topics && 'azores' in topics\""
        return switch problem {
        case .expected(let what):
            (.conditionSyntax, "the condition cannot be read", "expected \(what)", example)
        case .invalidTopic(let name):
            (
                .topicName, "`\(name)` is not a topic name", "not a topic name",
                "use 1 to \(Topic.maximumLength) of the characters a-z A-Z 0-9 - _ . ~ %"
            )
        case .unclosedParenthesis:
            (
                .conditionSyntax, "the condition cannot be read", "this parenthesis is not closed",
                nil
            )
        case .tooDeep:
            (.conditionSyntax, "the condition is nested too deeply", "more than 64 levels", nil)
        case .tooLong:
            (.conditionSyntax, "the condition is too long", "more than 1,000 topic references", nil)
        case .tooManyTopics(let count):
            (
                .conditionTopics, "the condition names \(count) topics", "FCM allows five",
                "split it into campaigns whose conditions exclude each other"
            )
        }
    }
}
