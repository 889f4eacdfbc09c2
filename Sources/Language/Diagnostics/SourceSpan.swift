/// The number of a file in a catalog; files compare by order of addition.
package struct SourceID: Hashable, Comparable, Sendable {
    package let index: UInt32

    package init(index: UInt32) {
        self.index = index
    }

    package static func < (left: SourceID, right: SourceID) -> Bool {
        left.index < right.index
    }
}

/// A half-open range of UTF-8 byte offsets in one file; `start <= end` is an invariant.
///
/// Offsets beyond 4 GiB are clamped.
package struct SourceSpan: Hashable, Sendable {
    package let source: SourceID
    private let first: UInt32
    private let limit: UInt32

    package var start: Int { Int(first) }
    package var end: Int { Int(limit) }
    package var isEmpty: Bool { first == limit }

    /// Whether this span contains all of another one.
    package func contains(_ other: SourceSpan) -> Bool {
        source == other.source && first <= other.first && other.limit <= limit
    }

    /// An `end` before `start` creates an empty span at `start`.
    package init(source: SourceID, start: Int, end: Int) {
        self.source = source
        first = UInt32(clamping: start)
        limit = max(first, UInt32(clamping: end))
    }
}
