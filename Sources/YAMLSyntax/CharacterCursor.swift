/// Turns libyaml's places, which count Unicode scalars, into byte offsets of the source.
///
/// It walks from the last place to the next: places that mostly ascend cost linear time in all.
struct CharacterCursor {
    private let text: YAMLText
    private var character = 0
    private var offset: Int

    init(_ text: YAMLText) {
        self.text = text
        offset = text.start
    }

    /// A place beyond the text is the end of the text.
    mutating func offset(ofCharacter wanted: Int) -> Int {
        if text.isASCII { return min(text.start + wanted, text.bytes.count) }
        while character < wanted, offset < text.bytes.count { stepForward() }
        while character > wanted, offset > text.start { stepBack() }
        return offset
    }

    private mutating func stepForward() {
        repeat { offset += 1 } while isInsideCharacter
        character += 1
    }

    private mutating func stepBack() {
        repeat { offset -= 1 } while isInsideCharacter
        character -= 1
    }

    private var isInsideCharacter: Bool {
        offset < text.bytes.count && text.bytes[offset] & 0b1100_0000 == 0b1000_0000
    }
}
