/// Converts libyaml's places, which count Unicode scalars, to byte offsets of the source.
///
/// The cursor moves from the last place to the next and visits only multi-byte characters between
/// them. If places mostly ascend, the total cost is linear.
struct CharacterCursor {
    private let start: Int
    private let limit: Int
    /// The offsets of the bytes that continue a character or an escaped surrogate pair, ascending.
    private let continuations: [Int]
    /// The number of continuation bytes before the last place.
    private var passed = 0

    init(_ text: YAMLText) {
        start = text.start
        limit = text.bytes.count
        continuations = text.isASCII && text.pairs.isEmpty ? [] : text.continuations
    }

    /// A place beyond the text means its end.
    mutating func offset(ofCharacter wanted: Int) -> Int {
        var offset = start + wanted + passed
        while passed < continuations.count, continuations[passed] <= offset {
            passed += 1
            offset += 1
        }
        while passed > 0, continuations[passed - 1] >= offset {
            passed -= 1
            offset -= 1
        }
        return min(offset, limit)
    }
}

extension YAMLText {
    fileprivate var continuations: [Int] {
        var offsets: [Int] = []
        var pairs = pairs[...]
        let bytes = bytes.span
        for offset in start..<bytes.count {
            if let pair = pairs.first, offset > pair {
                offsets.append(offset)
                if offset == pair + Self.pairLength - 1 { pairs.removeFirst() }
            } else if bytes[offset] & 0b1100_0000 == 0b1000_0000 {
                offsets.append(offset)
            }
        }
        return offsets
    }
}
