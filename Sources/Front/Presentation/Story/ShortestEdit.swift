/// The fewest words to take away and to put in that make one text of another.
struct ShortestEdit {
    /// In the order of the texts, one a word; nil where more edits are needed than are looked for.
    let segments: [TextSegment]?

    init(_ old: [Substring], _ new: [Substring]) {
        var search = Search(old, new)
        segments = search.run() ? search.segments : nil
    }
}

/// Myers' greedy search: for each number of edits the furthest place on each diagonal.
private struct Search {
    private let old: [Substring]
    private let new: [Substring]
    /// How far in `old` each diagonal was come, for each number of edits; from diagonal `-edits`.
    private var furthest: [[Int]] = []

    init(_ old: [Substring], _ new: [Substring]) {
        self.old = old
        self.new = new
    }

    /// Whether the end was reached.
    mutating func run() -> Bool {
        for edits in 0...WordDiff.maximumEdits {
            var row = Array(repeating: -1, count: 2 * edits + 1)
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let place = slide(begin(diagonal, edits), diagonal)
                row[diagonal + edits] = place
                if place >= old.count, place - diagonal >= new.count {
                    furthest.append(row)
                    return true
                }
            }
            furthest.append(row)
        }
        return false
    }

    /// The furthest place of a diagonal with fewer edits; -1 where it was not come to.
    private func reached(_ diagonal: Int, _ edits: Int) -> Int {
        guard edits >= 0, abs(diagonal) <= edits else { return -1 }
        return furthest[edits][diagonal + edits]
    }

    private func begin(_ diagonal: Int, _ edits: Int) -> Int {
        guard edits > 0 else { return 0 }
        return isInsertion(diagonal, edits)
            ? reached(diagonal + 1, edits - 1) : reached(diagonal - 1, edits - 1) + 1
    }

    private func isInsertion(_ diagonal: Int, _ edits: Int) -> Bool {
        diagonal == -edits
            || diagonal != edits
                && reached(diagonal - 1, edits - 1) < reached(diagonal + 1, edits - 1)
    }

    private func slide(_ start: Int, _ diagonal: Int) -> Int {
        var place = start
        while place < old.count, place - diagonal < new.count, place - diagonal >= 0,
            old[place] == new[place - diagonal]
        {
            place += 1
        }
        return place
    }

    /// Walked back from the end.
    var segments: [TextSegment] {
        var result: [TextSegment] = []
        var place = old.count
        var other = new.count
        for edits in stride(from: furthest.count - 1, through: 0, by: -1) {
            let diagonal = place - other
            let start = begin(diagonal, edits)
            while place > start {
                place -= 1
                other -= 1
                result.append(TextSegment(kind: .same, text: String(old[place])))
            }
            guard edits > 0 else { break }
            if isInsertion(diagonal, edits) {
                other -= 1
                result.append(TextSegment(kind: .added, text: String(new[other])))
            } else {
                place -= 1
                result.append(TextSegment(kind: .removed, text: String(old[place])))
            }
        }
        return result.reversed()
    }
}
