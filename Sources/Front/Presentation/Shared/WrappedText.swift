/// Text with several styles, wrapped between words.
struct WrappedText {
    private var pieces: [Piece] = []

    /// An unbreakable part.
    private struct Piece {
        let text: String
        let tone: TextStyle.Tone
        let columns: Int
        /// Whether it follows the previous piece without a break.
        let isGlued: Bool
        /// The columns of white space before it, unless it starts a line.
        let gap: Int
    }

    /// Appends Herald's own text.
    ///
    /// A command between backticks is not broken.
    mutating func append(_ text: String, in tone: TextStyle.Tone = .plain) {
        add(TextStyle.safe(text), in: tone, isOwn: true)
    }

    /// Appends untrusted text, with `⏎` in place of line breaks.
    mutating func append(foreign text: String, in tone: TextStyle.Tone = .plain) {
        add(TextStyle.line(text), in: tone, isOwn: false)
    }

    /// Appends Herald's own text as one unbreakable piece.
    mutating func append(unbroken text: String) {
        var word = TextStyle.safe(text)
        flush(&word, in: .plain, isGlued: !pieces.isEmpty && gap == 0)
    }

    /// Appends Herald's own text as one unbreakable piece after the given number of columns.
    mutating func append(_ text: String, apart columns: Int, in tone: TextStyle.Tone) {
        gap = columns
        var word = TextStyle.safe(text)
        flush(&word, in: tone, isGlued: false)
    }

    private var gap = 0
    private var isCode = false

    private mutating func add(_ text: String, in tone: TextStyle.Tone, isOwn: Bool) {
        var word = ""
        var isFirst = true
        func isGlued() -> Bool { !pieces.isEmpty && gap == 0 && isFirst }
        for character in text {
            if isOwn, character == "`" { isCode.toggle() }
            if character == " ", !isCode {
                flush(&word, in: tone, isGlued: isGlued())
                isFirst = false
                gap = isOwn ? 1 : gap + 1
            } else if character.isWide {
                flush(&word, in: tone, isGlued: isGlued())
                isFirst = false
                flush(character, in: tone)
            } else {
                word.append(character)
            }
        }
        flush(&word, in: tone, isGlued: isGlued())
        isCode = false
    }

    private mutating func flush(_ word: inout String, in tone: TextStyle.Tone, isGlued: Bool) {
        guard !word.isEmpty else { return }
        let columns = TextStyle.columns(of: word)
        pieces.append(
            Piece(text: word, tone: tone, columns: columns, isGlued: isGlued, gap: gap)
        )
        gap = 0
        word = ""
    }

    private mutating func flush(_ character: Character, in tone: TextStyle.Tone) {
        let text = String(character)
        pieces.append(
            Piece(
                text: text,
                tone: tone,
                columns: TextStyle.columns(of: text),
                isGlued: false,
                gap: gap
            )
        )
        gap = 0
    }

    /// The wrapped lines without indentation.
    ///
    /// A line is wider than `width` only if one of its words is.
    func lines(width: Int, style: TextStyle) -> [String] {
        var lines: [String] = []
        var line = Line(style: style)
        for word in words {
            let columns = word.reduce(0) { $0 + $1.columns }
            let gap = line.isEmpty ? 0 : word.first?.gap ?? 0
            if !line.isEmpty, line.columns + gap + columns > width {
                lines.append(line.text)
                line = Line(style: style)
                line.append(word, gap: 0)
            } else {
                line.append(word, gap: gap)
            }
        }
        return line.isEmpty ? lines : lines + [line.text]
    }

    /// Pieces that must stay on the same line.
    private var words: [ArraySlice<Piece>] {
        var words: [ArraySlice<Piece>] = []
        var start = pieces.startIndex
        for index in pieces.indices where index > start && !pieces[index].isGlued {
            words.append(pieces[start..<index])
            start = index
        }
        return start < pieces.endIndex ? words + [pieces[start...]] : words
    }

    private struct Line {
        let style: TextStyle
        private(set) var columns = 0
        private var done = ""
        private var run = ""
        private var tone = TextStyle.Tone.plain

        init(style: TextStyle) {
            self.style = style
        }

        var isEmpty: Bool { columns == 0 }
        var text: String { done + (run.isEmpty ? "" : style.paint(run, in: tone)) }

        mutating func append(_ word: ArraySlice<Piece>, gap: Int) {
            for (place, piece) in word.enumerated() {
                let space = String(repeating: " ", count: place == 0 ? gap : piece.gap)
                columns += space.utf8.count + piece.columns
                if piece.tone == tone {
                    run += space + piece.text
                } else {
                    done = text + space
                    run = piece.text
                    tone = piece.tone
                }
            }
        }
    }
}

extension Character {
    /// Whether the script allows a break between any two characters.
    fileprivate var isWide: Bool {
        guard let scalar = unicodeScalars.first, scalar.value >= 0x1100 else { return false }
        return TextStyle.columns(of: String(scalar)) > 1
    }
}

extension WrappedText {
    /// Contains only Herald's own text.
    init(_ text: String) {
        append(text)
    }

    /// Untrusted text that is reduced to its ends if it is long.
    struct Excerpt {
        private let text: String

        /// The maximum length in characters.
        static let longest = 600

        init(of text: String) {
            self.text = text
        }

        func write(to wrapped: inout WrappedText) {
            guard text.utf8.count > Self.longest, text.count > Self.longest else {
                return wrapped.append(foreign: text)
            }
            let end = Self.longest / 3
            wrapped.append(foreign: String(text.prefix(end)))
            wrapped.append(" … \((text.count - 2 * end).grouped) more characters … ", in: .faint)
            wrapped.append(foreign: String(text.suffix(end)))
        }
    }
}
