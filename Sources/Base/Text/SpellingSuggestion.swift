/// Finds the probable intended spelling of a word.
package enum SpellingSuggestion {
    /// Returns the nearest candidate within a third of the word's length, and within at least 1.
    ///
    /// The distance is that of optimal string alignment: insertions, deletions, replacements, and
    /// swaps of neighbours. A difference in case counts as one more. If several candidates are
    /// nearest, the first wins. A word longer than 256 characters gets no suggestion, which limits
    /// the cost for any input.
    package static func nearest(
        to word: String,
        among candidates: some Sequence<String>
    ) -> String? {
        let wanted = Spelling(word)
        guard (1...longestWord).contains(wanted.exact.count) else { return nil }
        var limit = max(1, wanted.exact.count / 3)
        var best: String?
        for candidate in candidates {
            guard let distance = wanted.distance(to: Spelling(candidate), atMost: limit) else {
                continue
            }
            best = candidate
            limit = distance - 1
            if limit < 0 { break }
        }
        return best
    }

    private static let longestWord = 256

    /// Like `nearest`, for keys.
    ///
    /// A candidate that differs only in case and in `_` and `-`, such as `clickAction` and
    /// `click_action`, is the nearest of all.
    package static func key(_ word: String, among candidates: [String]) -> String? {
        let joined = joinedWords(word)
        return candidates.first { joinedWords($0) == joined }
            ?? nearest(to: word, among: candidates)
    }

    /// Whether a candidate is certainly the intended one.
    ///
    /// It must differ from the word only in case and in `_` and `-`, and no other candidate may do
    /// so.
    package static func isSure(
        _ candidate: String,
        for word: String,
        among candidates: [String]
    ) -> Bool {
        let joined = joinedWords(word)
        return candidates.filter { joinedWords($0) == joined } == [candidate]
    }

    private static func joinedWords(_ text: String) -> String {
        String(text.lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" })
    }
}

/// Suggestions from a project's own names; the project may have as many names as mistakes.
package struct BoundedSuggestions: Sendable {
    /// About a second of work; a registry of 2,000 topics gets 100 suggestions.
    private var comparisonsLeft = 200_000

    package init() {}

    /// Like `SpellingSuggestion.nearest`.
    ///
    /// Returns nil when the comparisons of the run are exhausted.
    package mutating func nearest(to word: String, among candidates: [String]) -> String? {
        guard comparisonsLeft > 0 else { return nil }
        comparisonsLeft -= candidates.count
        return SpellingSuggestion.nearest(to: word, among: candidates)
    }
}

private struct Spelling {
    let exact: [Character]
    private let folded: [Character]
    /// The same as bytes, which are compared much faster; nil if a character has several bytes.
    private let bytes: (exact: [UInt8], folded: [UInt8])?

    init(_ text: String) {
        exact = Array(text)
        let lowercased = text.lowercased()
        folded = Array(lowercased)
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 } && exact.count == text.utf8.count
        bytes = isASCII ? (Array(text.utf8), Array(lowercased.utf8)) : nil
    }

    func distance(to other: Spelling, atMost limit: Int) -> Int? {
        guard abs(exact.count - other.exact.count) <= limit else { return nil }
        let distance =
            if let bytes, let others = other.bytes {
                min(
                    alignmentDistance(bytes.exact, others.exact),
                    alignmentDistance(bytes.folded, others.folded) + 1
                )
            } else {
                min(
                    alignmentDistance(exact, other.exact),
                    alignmentDistance(folded, other.folded) + 1
                )
            }
        return distance <= limit ? distance : nil
    }
}

/// Computes optimal string alignment with three rows of the table.
private func alignmentDistance<Letter: Equatable>(_ left: [Letter], _ right: [Letter]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = beforeLast
    for row in left.indices {
        current[0] = row + 1
        for column in right.indices {
            let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
            var cost = min(current[column] + 1, last[column + 1] + 1, replaced)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current[column + 1] = cost
        }
        swap(&beforeLast, &last)
        swap(&last, &current)
    }
    return last[right.count]
}
