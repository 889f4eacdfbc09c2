package import Diagnostics

/// A value and its span.
package struct Spanned<Value: Sendable>: Sendable {
    package let value: Value
    package let span: SourceSpan

    package init(_ value: Value, at span: SourceSpan) {
        self.value = value
        self.span = span
    }
}

extension Spanned: Equatable where Value: Equatable {}
extension Spanned: Hashable where Value: Hashable {}
