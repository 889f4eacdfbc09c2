internal import Diagnostics

/// A sequence or mapping whose end has not been read yet.
struct OpenCollection {
    enum Kind {
        case sequence
        /// The list beside a merge key: mappings only.
        case mergeList
        case mapping
    }

    private let kind: Kind
    let start: Int
    let anchor: Anchor?
    /// Where the last child ends.
    private(set) var end: Int
    private(set) var extent = PlacedNode.Extent(nodes: 1, height: 1)
    private(set) var isDoubtful = false
    private var elements: [SyntaxNode] = []
    private var mapping = OpenMapping()

    init(_ kind: Kind, start: Int, anchor: Anchor?) {
        self.kind = kind
        self.start = start
        self.anchor = anchor
        end = start
    }

    /// Where the key ends whose value comes next; nil where no value is awaited.
    var endOfPendingKey: Int? { mapping.awaitsValue ? end : nil }

    /// What a sequence is that begins here.
    var kindOfNextSequence: Kind { mapping.awaitsMergedValue ? .mergeList : .sequence }

    mutating func content() -> SyntaxNode.Content {
        kind == .mapping ? .mapping(mapping.mergedEntries()) : .sequence(elements)
    }

    /// Takes the next child; the diagnostic says why it can't be kept.
    mutating func add(_ child: consuming PlacedNode) -> Diagnostic? {
        end = max(end, child.place.end)
        let isDoubtfulChild = child.isDoubtful
        let share = mapping.awaitsMergedValue ? share(of: child) : child.extent
        extent.nodes += share.nodes
        extent.height = max(extent.height, 1 + share.height)
        let problem = kind == .mapping ? mapping.add(child) : addElement(child)
        isDoubtful = isDoubtful || isDoubtfulChild || problem?.rule == .wrongKind
        return problem
    }

    private mutating func addElement(_ child: consuming PlacedNode) -> Diagnostic? {
        if kind == .mergeList, child.node.entries == nil {
            return child.isDoubtful ? nil : .notMergeable(child)
        }
        elements.append(child.node)
        return nil
    }

    /// What a merged child adds to the extent: only its entries remain, and they stand on this
    /// level.
    private func share(of child: PlacedNode) -> PlacedNode.Extent {
        let list = child.node.elements
        let merged = list?.count ?? 1
        return PlacedNode.Extent(
            nodes: child.extent.nodes - merged - (list == nil ? 1 : 2),
            height: max(0, child.extent.height - (list == nil ? 1 : 2))
        )
    }
}
