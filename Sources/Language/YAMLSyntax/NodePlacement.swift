internal import Diagnostics

/// How a finished node stands in the collection around it.
struct NodePlacement {
    /// For an alias this is the alias, not what it stands for.
    let place: SourceSpan
    let extent: Extent
    /// It contains an alias that stands for nothing or what can't be merged; either is reported.
    let isDoubtful: Bool

    /// How much a node is, with all that aliases bring in.
    struct Extent {
        /// Scalars and collections, the node itself included.
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

/// A finished node for which an anchor stands.
struct PlacedNode {
    let node: SyntaxNode
    let placement: NodePlacement
}
