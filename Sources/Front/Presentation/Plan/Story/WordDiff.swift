/// A comparison of two texts, word by word.
///
/// Uses Myers' algorithm (An O(ND) difference algorithm and its variations, 1986). If more than
/// `maximumEdits` words differ, the differing middle is replaced as a whole, so the time is linear
/// in the length.
struct WordDiff {
    let segments: [TextSegment]

    static let maximumEdits = 200
    /// Longer parts are shortened to their ends.
    static let longestSame = 120
    static let longestChanged = 600

    init(before: String?, after: String?) {
        guard let before, let after else {
            segments = [
                before.map { TextSegment(kind: .removed, text: $0) },
                after.map { TextSegment(kind: .added, text: $0) },
            ].compactMap(\.self).flatMap(\.shortened)
            return
        }
        let edits = Self.merged(Self.edits(from: Self.words(before), to: Self.words(after)))
        let found = Self.merged(Self.bridged(edits))
        segments = (Self.isAlike(found) ? found : Self.replacement(of: before, with: after))
            .flatMap(\.shortened)
    }

    /// Replaces one unrelated value by another.
    init(replacing before: String?, with after: String?) {
        segments = Self.replacement(of: before ?? "", with: after ?? "").flatMap(\.shortened)
    }

    private static func replacement(of before: String, with after: String) -> [TextSegment] {
        [TextSegment(kind: .removed, text: before), TextSegment(kind: .added, text: after)]
            .filter { !$0.text.isEmpty }
    }

    /// Whether a third of the longer text's words are common, or whether one text extends the other
    /// at its start or end.
    private static func isAlike(_ segments: [TextSegment]) -> Bool {
        guard segments.count > 2 else { return segments.contains { $0.kind == .same } }
        func count(_ kind: TextSegment.Kind) -> Int {
            segments.filter { $0.kind == kind }.reduce(0) { count, segment in
                count + words(segment.text).count { $0.contains(where: \.isLetterOrNumber) }
            }
        }
        return 2 * count(.same) >= max(count(.removed), count(.added))
    }

    /// Merges two changes that are separated only by spaces and punctuation.
    private static func bridged(_ segments: [TextSegment]) -> [TextSegment] {
        segments.enumerated().flatMap { place, segment -> [TextSegment] in
            let isInside = place > 0 && place < segments.count - 1
            guard segment.kind == .same, isInside,
                !segment.text.contains(where: \.isLetterOrNumber)
            else { return [segment] }
            return replacement(of: segment.text, with: segment.text)
        }
    }

    /// Splits a text into words, white space, and single characters of scripts without spaces.
    ///
    /// A mark between letters or digits is part of the word, as in `16:42`.
    static func words(_ text: String) -> [Substring] {
        let kinds = text.map(WordKind.init)
        var words: [Substring] = []
        var start = text.startIndex
        var last: WordKind?
        for (index, place) in zip(text.indices, kinds.indices) {
            let isInside =
                kinds[place] == .mark && place > 0 && kinds[place - 1] == .word
                && place + 1 < kinds.count && kinds[place + 1] == .word
            let kind = isInside ? .word : kinds[place]
            if let before = last, before != kind || kind == .mark {
                words.append(text[start..<index])
                start = index
            }
            last = kind
        }
        if start < text.endIndex { words.append(text[start...]) }
        return words
    }

    private static func edits(from old: [Substring], to new: [Substring]) -> [TextSegment] {
        let shorter = min(old.count, new.count)
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.reversed(), new.reversed()).prefix(shorter - head) { $0 == $1 }
        let left = old[head..<old.count - tail]
        let right = new[head..<new.count - tail]
        return [.init(kind: .same, words: old[..<head])]
            + (ShortestEdit(from: Array(left), to: Array(right)).segments ?? [
                .init(kind: .removed, words: left), .init(kind: .added, words: right),
            ]) + [.init(kind: .same, words: old[(old.count - tail)...])]
    }

    /// Merges neighbours of one kind.
    ///
    /// In each sequence of changes, removals come first.
    private static func merged(_ segments: [TextSegment]) -> [TextSegment] {
        var result: [TextSegment] = []
        var removed = ""
        var added = ""
        func flush() {
            if !removed.isEmpty { result.append(TextSegment(kind: .removed, text: removed)) }
            if !added.isEmpty { result.append(TextSegment(kind: .added, text: added)) }
            removed = ""
            added = ""
        }
        for segment in segments where !segment.text.isEmpty {
            switch segment.kind {
            case .removed: removed += segment.text
            case .added: added += segment.text
            case .same, .elided:
                flush()
                if let last = result.last, last.kind == .same {
                    result[result.count - 1] = TextSegment(
                        kind: .same,
                        text: last.text + segment.text
                    )
                } else {
                    result.append(segment)
                }
            }
        }
        flush()
        return result
    }
}

private enum WordKind {
    case word
    case space
    /// A separate word: punctuation, and characters of scripts without spaces between words.
    case mark

    init(_ character: Character) {
        if character.isWhitespace {
            self = .space
        } else if character.isLetterOrNumber, !character.isOfWideScript {
            self = .word
        } else {
            self = .mark
        }
    }
}

extension Character {
    fileprivate var isLetterOrNumber: Bool { isLetter || isNumber }

    /// East Asian ideographs and syllables, and emoji.
    fileprivate var isOfWideScript: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        return scalar.value >= 0x1100 && TextStyle.columns(of: String(self)) > 1
    }
}

extension Sequence {
    fileprivate func prefix(
        _ limit: Int,
        while isWanted: (Element) -> Bool
    ) -> Int {
        var count = 0
        for element in self {
            guard count < limit, isWanted(element) else { break }
            count += 1
        }
        return count
    }
}

extension TextSegment {
    fileprivate init(kind: Kind, words: ArraySlice<Substring>) {
        self.init(kind: kind, text: words.joined())
    }

    /// A long segment reduced to its ends, with a note of the omitted length in between.
    fileprivate var shortened: [TextSegment] {
        let limit = kind == .same ? WordDiff.longestSame : WordDiff.longestChanged
        guard text.utf8.count > limit, text.count > limit else { return [self] }
        let end = limit / 3
        let rest = (text.count - 2 * end).grouped
        let what = kind == .same ? "characters unchanged" : "more characters"
        return [
            TextSegment(kind: kind, text: String(text.prefix(end))),
            TextSegment(kind: .elided, text: "\(rest) \(what)"),
            TextSegment(kind: kind, text: String(text.suffix(end))),
        ]
    }
}
