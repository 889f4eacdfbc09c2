internal import Diagnostics

/// The children of all collections that are still open; those of the innermost are last.
///
/// Nodes move into and out of its memory, which it frees. No node is copied on its way into the
/// tree, because reference counting is the main cost of building one.
@safe
struct NodeStack: ~Copyable {
    private var memory = UnsafeMutableBufferPointer<SyntaxNode>.allocate(capacity: 64)
    private(set) var count = 0

    deinit {
        unsafe memory[..<count].deinitialize()
        unsafe memory.deallocate()
    }

    mutating func push(_ node: consuming SyntaxNode) {
        if unsafe count == memory.count { grow() }
        unsafe memory.initializeElement(at: count, to: node)
        count += 1
    }

    /// Precondition: the stack is not empty.
    var last: SyntaxNode { unsafe memory[count - 1] }

    /// Removes and returns the last node.
    mutating func pop() -> SyntaxNode {
        count -= 1
        return unsafe memory.moveElement(from: count)
    }

    private mutating func grow() {
        let larger = UnsafeMutableBufferPointer<SyntaxNode>.allocate(capacity: count * 2)
        _ = unsafe larger.moveInitialize(fromContentsOf: memory[..<count])
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    /// Removes and returns the nodes from `first` on.
    mutating func elements(from first: Int) -> [SyntaxNode] {
        let length = count - first
        let found = unsafe [SyntaxNode](unsafeUninitializedCapacity: length) { elements, filled in
            filled = unsafe elements.moveInitialize(fromContentsOf: memory[first..<count])
        }
        count = first
        return found
    }

    /// Removes and returns the nodes from `first` on, which alternate between key and value.
    mutating func entries(from first: Int) -> [SyntaxEntry] {
        let length = (count - first) / 2
        let found = unsafe [SyntaxEntry](unsafeUninitializedCapacity: length) { entries, filled in
            for place in 0..<length {
                let key = unsafe memory.moveElement(from: first + 2 * place)
                let value = unsafe memory.moveElement(from: first + 2 * place + 1)
                unsafe entries.initializeElement(at: place, to: SyntaxEntry(key: key, value: value))
            }
            filled = length
        }
        count = first
        return found
    }

    /// Finds an equal key among the nodes from `first` on, where each key is followed by its value.
    func place(ofKey text: String, from first: Int) -> SourceSpan? {
        for place in stride(from: first, to: count, by: 2)
        where unsafe memory[place].scalar?.text == text {
            return unsafe memory[place].span
        }
        return nil
    }

    /// Returns the places of the keys from `first` on, where each key is followed by its value.
    func keys(from first: Int) -> [String: SourceSpan] {
        var keys: [String: SourceSpan] = [:]
        for place in stride(from: first, to: count, by: 2) {
            let key = unsafe memory[place]
            keys[key.scalar?.text ?? ""] = key.span
        }
        return keys
    }
}
