/// A set of the model's devices, by index.
///
/// Each chunk covers 65,536 indices. A sparse chunk is a sorted list, and a dense chunk is a
/// bitmap. A topic of all devices needs one bit per device, and a small topic needs a few bytes.
struct DeviceSet: Sendable, Equatable {
    fileprivate enum Chunk: Sendable, Equatable {
        case sparse([UInt16])
        /// 1,024 words.
        case dense([UInt64], count: Int)
    }

    private var chunks: [Chunk] = []
    private(set) var count = 0

    /// A longer list takes more space than the bitmap.
    private static let sparseLimit = 4_096
    static let chunkWords = 1_024

    var isEmpty: Bool { count == 0 }
    var chunkCount: Int { chunks.count }

    mutating func insert(_ index: Int) {
        let number = index >> 16
        while chunks.count <= number { chunks.append(.sparse([])) }
        if chunks[number].insert(UInt16(index & 0xFFFF), limit: Self.sparseLimit) { count += 1 }
    }

    mutating func remove(_ index: Int) {
        let number = index >> 16
        guard number < chunks.count else { return }
        if chunks[number].remove(UInt16(index & 0xFFFF)) { count -= 1 }
    }

    /// Returns one bit per index of a chunk.
    func words(ofChunk number: Int) -> [UInt64] {
        guard number < chunks.count else {
            return Array(repeating: 0, count: Self.chunkWords)
        }
        return chunks[number].words
    }

    /// The indices in ascending order.
    var indices: [Int32] {
        var indices: [Int32] = []
        indices.reserveCapacity(count)
        for number in chunks.indices { append(chunk: number, to: &indices) }
        return indices
    }

    private func append(chunk number: Int, to indices: inout [Int32]) {
        let base = Int32(number) << 16
        switch chunks[number] {
        case .sparse(let list): for index in list { indices.append(base | Int32(index)) }
        case .dense(let words, _): indices.append(bits: words, from: base)
        }
    }
}

extension DeviceSet.Chunk {
    fileprivate var words: [UInt64] {
        switch self {
        case .dense(let words, _): return words
        case .sparse(let list):
            var words = [UInt64](repeating: 0, count: DeviceSet.chunkWords)
            for index in list { words[Int(index) >> 6] |= 1 << UInt64(index & 63) }
            return words
        }
    }

    fileprivate mutating func insert(_ index: UInt16, limit: Int) -> Bool {
        switch self {
        case .sparse(var list):
            let place = list.place(of: index)
            guard place == list.count || list[place] != index else { return false }
            self = .sparse([])
            list.insert(index, at: place)
            self = .sparse(list)
            if list.count > limit { self = .dense(words, count: list.count) }
            return true
        case .dense(var words, let count):
            let bit: UInt64 = 1 << UInt64(index & 63)
            guard words[Int(index) >> 6] & bit == 0 else { return false }
            self = .sparse([])
            words[Int(index) >> 6] |= bit
            self = .dense(words, count: count + 1)
            return true
        }
    }

    fileprivate mutating func remove(_ index: UInt16) -> Bool {
        switch self {
        case .sparse(var list):
            let place = list.place(of: index)
            guard place < list.count, list[place] == index else { return false }
            self = .sparse([])
            list.remove(at: place)
            self = .sparse(list)
            return true
        case .dense(var words, let count):
            let bit: UInt64 = 1 << UInt64(index & 63)
            guard words[Int(index) >> 6] & bit != 0 else { return false }
            self = .sparse([])
            words[Int(index) >> 6] &= ~bit
            self = .dense(words, count: count - 1)
            return true
        }
    }
}

extension [UInt16] {
    /// Returns the index or the insertion index of an element in a sorted list.
    fileprivate func place(of element: UInt16) -> Int {
        if let last, last < element { return count }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension [Int32] {
    /// Appends the numbers of the set bits, counted from `base`.
    mutating func append(bits words: [UInt64], from base: Int32) {
        for (number, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                append(base + Int32(number << 6 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }
}
