internal import Diagnostics

/// A sequence or mapping whose end has not been read yet.
struct OpenCollection {
    enum Kind {
        case sequence
        /// The list of a merge key, which contains only mappings.
        case mergeList
        case mapping
    }

    private let kind: Kind
    let start: Int
    let anchor: Anchor?
    /// The end of the last child.
    private(set) var end: Int
    private(set) var extent = NodePlacement.Extent(nodes: 1, height: 1)
    private(set) var isDoubtful = false
    /// The index of the first child on the stack.
    private let first: Int
    private var mapping: OpenMapping

    /// `first`: the number of nodes on the stack.
    init(_ kind: Kind, start: Int, anchor: Anchor?, first: Int) {
        self.kind = kind
        self.start = start
        self.anchor = anchor
        self.first = first
        mapping = OpenMapping(first: first)
        end = start
    }

    /// The end of the key whose value comes next; nil if no value is pending.
    var endOfPendingKey: Int? { mapping.awaitsValue ? end : nil }

    /// The kind of a sequence that begins here.
    var kindOfNextSequence: Kind { mapping.awaitsMergedValue ? .mergeList : .sequence }

    /// Removes its children from the stack and returns them.
    mutating func content(_ stack: inout NodeStack) -> SyntaxNode.Content {
        guard kind == .mapping else { return .sequence(stack.elements(from: first)) }
        mapping.addMerged(&stack)
        return .mapping(stack.entries(from: first))
    }

    /// Takes the stack's last node as its next child.
    ///
    /// A node that is not kept is removed from the stack. The diagnostic gives the reason, unless
    /// it was reported before or the node is merged.
    mutating func takeLast(
        of stack: inout NodeStack,
        at placement: NodePlacement
    ) -> Diagnostic? {
        end = max(end, placement.place.end)
        let share =
            mapping.awaitsMergedValue ? share(of: stack.last, at: placement) : placement.extent
        extent.nodes += share.nodes
        extent.height = max(extent.height, 1 + share.height)
        let problem =
            kind == .mapping
            ? mapping.takeLast(of: &stack, at: placement) : takeElement(of: &stack, at: placement)
        isDoubtful = isDoubtful || placement.isDoubtful || problem?.rule == .wrongKind
        return problem
    }

    private func takeElement(
        of stack: inout NodeStack,
        at placement: NodePlacement
    ) -> Diagnostic? {
        guard kind == .mergeList, stack.last.entries == nil else { return nil }
        let element = stack.pop()
        return placement.isDoubtful ? nil : .notMergeable(element, at: placement.place)
    }

    /// The extent that a merged child adds.
    ///
    /// Only its entries remain, and they are on this level.
    private func share(
        of child: SyntaxNode,
        at placement: NodePlacement
    ) -> NodePlacement.Extent {
        let list = child.elements
        let merged = list?.count ?? 1
        return NodePlacement.Extent(
            nodes: placement.extent.nodes - merged - (list == nil ? 1 : 2),
            height: max(0, placement.extent.height - (list == nil ? 1 : 2))
        )
    }
}
