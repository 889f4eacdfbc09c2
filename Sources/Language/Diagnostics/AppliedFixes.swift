/// A file's text after edits; all bytes outside of the edits are unchanged.
package struct AppliedFixes: Sendable {
    package let bytes: [UInt8]
    /// The edits that were applied.
    package let applied: Set<Fix>

    /// Applies non-overlapping edits to `bytes`.
    ///
    /// If edits overlap or touch, the first in the text is applied. If edits begin at the same
    /// offset, the first in `fixes` is applied. The others are left for another pass.
    ///
    /// `fixes` belong to one file, whose text is `bytes`. An edit beyond its end is not applied.
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
