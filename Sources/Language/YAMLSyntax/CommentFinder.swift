/// Finds the comments, which libyaml drops.
///
/// libyaml treats every `#` outside of scalars as the beginning of a comment. The finder skips the
/// scalars in text order and searches the text between them once.
struct CommentFinder {
    private let text: YAMLText
    private var offset: Int
    private(set) var comments: [SyntaxComment] = []

    init(_ text: YAMLText) {
        self.text = text
        offset = text.start
    }

    /// The range is from the scalar's first byte to libyaml's end of it.
    mutating func pass(_ range: Range<Int>, style: SyntaxScalar.Style) {
        let isBlock = style == .literal || style == .folded
        // A comment may follow `|` or `>` on the same line.
        search(upTo: isBlock ? text.endOfLine(from: range.lowerBound) : range.lowerBound)
        offset = max(offset, range.upperBound)
    }

    mutating func finish() {
        search(upTo: text.bytes.count)
    }

    private mutating func search(upTo limit: Int) {
        while offset < limit {
            let mark = text.bytes[offset..<limit].firstIndex(of: UInt8(ascii: "#"))
            guard let mark else { break }
            offset = text.endOfLine(from: mark)
            add(text.trimmed(mark..<offset))
        }
        offset = max(offset, limit)
    }

    private mutating func add(_ range: Range<Int>) {
        let comment = SyntaxComment(
            span: text.span(range),
            text: String(decoding: text.bytes[range.dropFirst()], as: UTF8.self),
            standsAlone: text.isFirstOnLine(range.lowerBound)
        )
        comments.append(comment)
    }
}
