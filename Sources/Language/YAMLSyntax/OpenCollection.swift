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
    private(set) var extent = NodePlacement.Extent(nodes: 1, height: 1)
    private(set) var isDoubtful = false
    /// Where its children begin on the stack.
    private let first: Int
    private var mapping: OpenMapping

    /// `first`: how many nodes are on the stack.
    init(_ kind: Kind, start: Int, anchor: Anchor?, first: Int) {
        self.kind = kind
        self.start = start
        self.anchor = anchor
        self.first = first
        mapping = OpenMapping(first: first)
        end = start
    }

    /// Where the key ends whose value comes next; nil where no value is awaited.
    var endOfPendingKey: Int? { mapping.awaitsValue ? end : nil }

    /// What a sequence is that begins here.
    var kindOfNextSequence: Kind { mapping.awaitsMergedValue ? .mergeList : .sequence }

    /// Takes its children from the stack.
    mutating func content(_ stack: inout NodeStack) -> SyntaxNode.Content {
        guard kind == .mapping else { return .sequence(stack.elements(from: first)) }
        mapping.addMerged(&stack)
        return .mapping(stack.entries(from: first))
    }

    /// Takes the stack's last node as its next child.
    ///
    /// What is not kept is gone from the stack; the diagnostic says why, unless that was reported
    /// before or the node is merged.
    mutating func takeLast(
        of stack: inout NodeStack,
        _ placement: NodePlacement
    ) -> Diagnostic? {
        end = max(end, placement.place.end)
        let share =
            mapping.awaitsMergedValue ? share(of: stack.last, placement) : placement.extent
        extent.nodes += share.nodes
        extent.height = max(extent.height, 1 + share.height)
        let problem =
            kind == .mapping
            ? mapping.takeLast(of: &stack, placement) : takeElement(of: &stack, placement)
        isDoubtful = isDoubtful || placement.isDoubtful || problem?.rule == .wrongKind
        return problem
    }

    private func takeElement(
        of stack: inout NodeStack,
        _ placement: NodePlacement
    ) -> Diagnostic? {
        guard kind == .mergeList, stack.last.entries == nil else { return nil }
        let element = stack.pop()
        return placement.isDoubtful ? nil : .notMergeable(element, at: placement.place)
    }

    /// What a merged child adds to the extent: only its entries remain, and they stand on this
    /// level.
    private func share(
        of child: SyntaxNode,
        _ placement: NodePlacement
    ) -> NodePlacement.Extent {
        let list = child.elements
        let merged = list?.count ?? 1
        return NodePlacement.Extent(
            nodes: placement.extent.nodes - merged - (list == nil ? 1 : 2),
            height: max(0, placement.extent.height - (list == nil ? 1 : 2))
        )
    }
}
