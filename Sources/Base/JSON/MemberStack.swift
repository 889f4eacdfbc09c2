/// The members of all objects that are still open; those of the innermost are last.
///
/// Members move into and out of its memory, which it frees. Each object therefore takes exactly as
/// much memory as it needs, and no member is copied.
struct MemberStack: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<JSONObject.Member>
    private(set) var count = 0

    init() {
        memory = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        memory[..<count].deinitialize()
        memory.deallocate()
    }

    mutating func push(_ member: consuming JSONObject.Member) {
        if count == memory.count { grow() }
        memory.initializeElement(at: count, to: member)
        count += 1
    }

    /// Removes and returns the members from `first` on.
    mutating func pop(from first: Int) -> [JSONObject.Member] {
        let length = count - first
        let found = [JSONObject.Member](unsafeUninitializedCapacity: length) { members, filled in
            filled = members.moveInitialize(fromContentsOf: memory[first..<count])
        }
        count = first
        return found
    }

    private mutating func grow() {
        let larger = UnsafeMutableBufferPointer<JSONObject.Member>
            .allocate(capacity: max(16, count * 2))
        _ = larger.moveInitialize(fromContentsOf: memory[..<count])
        memory.deallocate()
        memory = larger
    }
}
