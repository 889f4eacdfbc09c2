internal import Diagnostics

/// The children of all collections whose end has not been read yet, those of the innermost last.
///
/// Nodes move in and out of its memory, which it frees: no node is copied on its way into the
/// tree, because counting references is what costs most in building one.
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

    /// There is one: whoever asks has put it there.
    var last: SyntaxNode { unsafe memory[count - 1] }

    /// Takes away the last node.
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

    /// Takes away the nodes from `first` on.
    mutating func elements(from first: Int) -> [SyntaxNode] {
        let length = count - first
        let found = unsafe [SyntaxNode](unsafeUninitializedCapacity: length) { elements, filled in
            filled = unsafe elements.moveInitialize(fromContentsOf: memory[first..<count])
        }
        count = first
        return found
    }

    /// Takes away the nodes from `first` on, which are keys and values by turns.
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

    /// Where the text of an equal key stands, of those from `first` on, which have their values
    /// after them.
    func place(ofKey text: String, from first: Int) -> SourceSpan? {
        for place in stride(from: first, to: count, by: 2)
        where unsafe memory[place].scalar?.text == text {
            return unsafe memory[place].span
        }
        return nil
    }

    /// Where the texts of the keys from `first` on stand, which have their values after them.
    func keys(from first: Int) -> [String: SourceSpan] {
        var keys: [String: SourceSpan] = [:]
        for place in stride(from: first, to: count, by: 2) {
            let key = unsafe memory[place]
            keys[key.scalar?.text ?? ""] = key.span
        }
        return keys
    }
}
