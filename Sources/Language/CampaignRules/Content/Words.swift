import Text

/// A text as runs of letters and digits, with the gaps between them.
struct Words: Sendable {
    struct Word: Sendable {
        let text: String
        let range: Range<Int>

        /// The digits of a word that consists only of digits.
        var digits: String? { text.utf8.allSatisfy(\.isASCIIDigit) ? text : nil }
        var number: Int? { digits.flatMap { Int($0) } }
        /// Such as 1998 or 2037.
        var looksLikeYear: Bool {
            digits?.utf8.count == 4 && ["19", "20"].contains { text.hasPrefix($0) }
        }
    }

    let scalars: [Unicode.Scalar]
    let words: [Word]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        var words: [Word] = []
        var start: Int?
        for (index, scalar) in scalars.enumerated() {
            switch (start, scalar.isWordPart) {
            case (nil, true): start = index
            case (let begin?, false):
                words.append(Self.word(begin..<index, in: scalars))
                start = nil
            default: break
            }
        }
        if let start { words.append(Self.word(start..<scalars.count, in: scalars)) }
        self.words = words
    }

    private static func word(_ range: Range<Int>, in scalars: [Unicode.Scalar]) -> Word {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return Word(text: String(text), range: range)
    }

    subscript(index: Int) -> Word? { words.indices.contains(index) ? words[index] : nil }

    /// Returns the text between a word and the next; nil if there is no next word.
    func gap(after index: Int) -> String? {
        guard let word = self[index], let next = self[index + 1] else { return nil }
        return text(word.range.upperBound..<next.range.lowerBound)
    }

    /// Returns the scalar immediately before a word.
    func scalar(before index: Int) -> Unicode.Scalar? {
        guard let start = self[index]?.range.lowerBound, start > 0 else { return nil }
        return scalars[start - 1]
    }

    func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    /// Returns the text from one word through another.
    func text(from first: Int, through last: Int) -> String {
        guard let start = self[first]?.range.lowerBound, let end = self[last]?.range.upperBound
        else { return "" }
        return text(start..<end)
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }
    var isWordPart: Bool { isDigit || properties.isAlphabetic }
}
