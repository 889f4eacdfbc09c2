/// A file's text after edits; every byte outside of them is as it was.
package struct AppliedFixes: Sendable {
    package let bytes: [UInt8]
    /// The edits that were made.
    package let applied: Set<Fix>

    /// Of edits that overlap or touch the first in the text is made, of those that begin together
    /// the first given; the rest waits for another look at the text.
    ///
    /// `fixes`: of one file, whose text `bytes` is; one that reaches beyond it is not made.
    package init(_ fixes: [Fix], to bytes: [UInt8]) {
        var result: [UInt8] = []
        var applied: Set<Fix> = []
        var end = 0
        for fix in Self.inOrder(fixes) where fix.span.end <= bytes.count {
            guard applied.isEmpty || fix.span.start > end else { continue }
            result += bytes[end..<fix.span.start]
            result += Array(fix.replacement.utf8)
            end = fix.span.end
            applied.insert(fix)
        }
        self.bytes = result + bytes[end...]
        self.applied = applied
    }

    private static func inOrder(_ fixes: [Fix]) -> [Fix] {
        fixes.enumerated()
            .sorted { ($0.element.span.start, $0.offset) < ($1.element.span.start, $1.offset) }
            .map(\.element)
    }
}
