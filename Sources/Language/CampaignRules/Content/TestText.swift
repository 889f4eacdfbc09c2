import Text

/// Finds test texts in messages for recipients.
///
/// It finds texts that contain nothing else (`Test`, `test push 2, please ignore`, `foo bar`,
/// `aaaa`), texts that are marked as a test (`[TEST] …`, `TEST: …`), and placeholder words (`asdf`,
/// `lorem ipsum`, `TODO`).
enum TestText {
    /// The place in the text's UTF-8 bytes.
    static func place(in text: String) -> Range<Int>? {
        var text = text
        return text.withUTF8 { bytes in
            guard mayHavePlace(bytes) else { return nil }
            let words = Word.all(in: bytes)
            guard let first = words.first, let last = words.last else { return nil }
            if isNothingElse(words, in: bytes) {
                return first.range.lowerBound..<last.range.upperBound
            }
            return words.indices.lazy.compactMap { place(at: $0, among: words, in: bytes) }.first
        }
    }

    /// A fast check that is false for nearly all real texts.
    ///
    /// It requires that all words occur in tests, or that one word marks a test.
    private static func mayHavePlace(_ bytes: Word.Bytes) -> Bool {
        var words = 0
        var areAllKnown = true
        var next = Word.range(from: 0, in: bytes)
        while let range = next {
            words += 1
            let packed = PackedWord(bytes[range])
            if let packed, TestVocabulary.isMark(packed) { return true }
            if areAllKnown {
                areAllKnown =
                    packed.map(TestVocabulary.all.contains) ?? false
                    || bytes[range].allSatisfy(\.isASCIIDigit)
            }
            next = Word.range(from: range.upperBound, in: bytes)
        }
        return areAllKnown || words == 1
    }
}

// MARK: - Texts without other content

extension TestText {
    private static func isNothingElse(_ words: [Word], in bytes: Word.Bytes) -> Bool {
        guard words.count <= 12 else { return false }
        if words.count == 1, isOneLetter(bytes[words[0].range]) { return true }
        let texts = words.filter { !$0.isNumber }.map(\.packed)
        if texts.count <= 5, TestVocabulary.phrases.contains(texts) { return true }
        var hasCore = false
        for word in texts {
            guard let word else { return false }
            let isCore = TestVocabulary.core.contains(word)
            guard isCore || TestVocabulary.fillers.contains(word) else { return false }
            hasCore = hasCore || isCore
        }
        return hasCore
    }

    /// Matches `aaa` or `xxxx`, but not common exclamations: `mmm`, `ooo`, `zzz`.
    private static func isOneLetter(_ bytes: Slice<Word.Bytes>) -> Bool {
        guard bytes.count >= 3, let first = bytes.first, first.isASCIILetter else { return false }
        let letter = first | 0x20
        return !"mozhw".utf8.contains(letter) && bytes.allSatisfy { $0 | 0x20 == letter }
    }
}

// MARK: - Marks and words in other texts

extension TestText {
    private static func place(
        at index: Int,
        among words: [Word],
        in bytes: Word.Bytes
    ) -> Range<Int>? {
        let word = words[index]
        guard let packed = word.packed else { return nil }
        guard TestVocabulary.isMark(packed) else { return nil }
        if packed.begins(with: TestVocabulary.asdf) { return word.range }
        switch packed {
        case TestVocabulary.lorem:
            let next = words.dropFirst(index + 1).first
            guard let next, next.packed == TestVocabulary.ipsum else { return nil }
            return word.range.lowerBound..<next.range.upperBound
        case TestVocabulary.fixme, TestVocabulary.tbd: return word.isCapitals ? word.range : nil
        case TestVocabulary.todo:
            return isTask(at: index, among: words, in: bytes) ? word.range : nil
        default:
            if let bracketed = bracketed(word, in: bytes) { return bracketed }
            return index == 0 && isPrefix(word, in: bytes) ? word.range : nil
        }
    }

    /// Matches `[TEST]`, `[staging]`, `(test)`, with the brackets.
    private static func bracketed(_ word: Word, in bytes: Word.Bytes) -> Range<Int>? {
        let range = word.range
        guard range.lowerBound > 0, range.upperBound < bytes.count else { return nil }
        let isBracketed =
            switch (bytes[range.lowerBound - 1], bytes[range.upperBound]) {
            case (UInt8(ascii: "["), UInt8(ascii: "]")): true
            case (UInt8(ascii: "("), UInt8(ascii: ")")): word.packed == TestVocabulary.test
            default: false
            }
        return isBracketed ? range.lowerBound - 1..<range.upperBound + 1 : nil
    }

    /// Matches `TEST: …`, `test: …`, `TEST - …`, but not `Test: …`, a common headline in magazines.
    private static func isPrefix(_ word: Word, in bytes: Word.Bytes) -> Bool {
        guard word.packed == TestVocabulary.test || word.packed == TestVocabulary.testing else {
            return false
        }
        let isSmall = bytes[word.range].allSatisfy { !$0.isASCIICapital }
        let rest = bytes[word.range.upperBound...].drop { $0 == 0x20 }
        if rest.first == UInt8(ascii: ":") { return word.isCapitals || isSmall }
        let isApart = rest.startIndex > word.range.upperBound
        return word.isCapitals && isApart
            && ["-", "|", "–", "—"].contains { rest.starts(with: $0.utf8) }
    }

    /// Matches `TODO: …`, `[TODO]`, `TODO write this`, `title TODO`.
    ///
    /// In Spanish and Portuguese, the word alone means "all".
    private static func isTask(at index: Int, among words: [Word], in bytes: Word.Bytes) -> Bool {
        let word = words[index]
        guard word.isCapitals else { return false }
        let after = bytes[word.range.upperBound...].first ?? 0
        if ":)]".utf8.contains(after) { return true }
        let next = words.dropFirst(index + 1).first?.packed
        if let next { return TestVocabulary.tasks.contains(next) }
        let last = index > 0 ? words[index - 1].packed : nil
        return last.map(TestVocabulary.awaited.contains) ?? false
    }
}

/// A run of letters and digits.
private struct Word {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    let range: Range<Int>
    let packed: PackedWord?
    let isCapitals: Bool
    let isNumber: Bool

    static func all(in bytes: Bytes) -> [Word] {
        var words: [Word] = []
        var next = range(from: 0, in: bytes)
        while let range = next {
            words.append(Word(range, in: bytes))
            next = self.range(from: range.upperBound, in: bytes)
        }
        return words
    }

    /// Returns the next word at or after an index.
    static func range(from index: Int, in bytes: Bytes) -> Range<Int>? {
        var start = index
        while start < bytes.count {
            let gap = gap(at: start, in: bytes)
            if gap == 0 { break }
            start += gap
        }
        guard start < bytes.count else { return nil }
        var end = start + 1
        while end < bytes.count, gap(at: end, in: bytes) == 0 { end += 1 }
        return start..<end
    }

    private init(_ range: Range<Int>, in bytes: Bytes) {
        self.range = range
        packed = PackedWord(bytes[range])
        isCapitals = bytes[range].allSatisfy(\.isASCIICapital)
        isNumber = bytes[range].allSatisfy(\.isASCIIDigit)
    }

    /// The length of the character at an index; 0 if it is part of a word.
    ///
    /// Outside of ASCII, every character except punctuation (U+00A0…, U+2000…), symbols and emoji
    /// counts as a letter.
    private static func gap(at index: Int, in bytes: Bytes) -> Int {
        switch bytes[index] {
        case let byte where byte.isASCIILetter || byte.isASCIIDigit: 0
        case 0..<0x80: 1
        case 0xC2: 2
        case 0xE2: 3
        case 0xEF where index + 1 < bytes.count && bytes[index + 1] == 0xB8: 3
        case 0xF0...: 4
        default: 0
        }
    }
}
