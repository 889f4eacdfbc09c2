internal import Diagnostics

/// The place of a finished node in its collection.
struct NodePlacement {
    /// For an alias, the place of the alias, not of its value.
    let place: SourceSpan
    let extent: Extent
    /// Whether it contains an alias without an anchor, or a value that cannot be merged.
    ///
    /// Both are reported.
    let isDoubtful: Bool

    /// The size of a node, including everything that aliases insert.
    struct Extent {
        /// The number of scalars and collections, including the node itself.
        var nodes = 1
        /// Levels of collections: 0 for a scalar.
        var height = 0
    }

    init(at place: SourceSpan, extent: Extent = Extent(), isDoubtful: Bool = false) {
        self.place = place
        self.extent = extent
        self.isDoubtful = isDoubtful
    }
}

/// A finished node that has an anchor.
struct PlacedNode {
    let node: SyntaxNode
    let placement: NodePlacement
}
