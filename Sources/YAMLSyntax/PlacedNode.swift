internal import Diagnostics

/// A finished node on its way into the collection around it.
struct PlacedNode {
    let node: SyntaxNode
    /// Where it stands; for an alias this is the alias, not what it stands for.
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

    init(
        _ node: SyntaxNode,
        at place: SourceSpan? = nil,
        extent: Extent = Extent(),
        isDoubtful: Bool = false
    ) {
        self.node = node
        self.place = place ?? node.span
        self.extent = extent
        self.isDoubtful = isDoubtful
    }

    func placed(at place: SourceSpan) -> PlacedNode {
        PlacedNode(node, at: place, extent: extent, isDoubtful: isDoubtful)
    }
}
