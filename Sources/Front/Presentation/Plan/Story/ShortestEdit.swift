/// The minimal word insertions and deletions that turn one text into another.
struct ShortestEdit {
    /// One segment per word, in text order; nil if more than the maximum number of edits is needed.
    let segments: [TextSegment]?

    init(from old: [Substring], to new: [Substring]) {
        var search = Search(from: old, to: new)
        segments = search.run() ? search.segments : nil
    }
}

/// Myers' greedy search: the furthest position on each diagonal for each number of edits.
private struct Search {
    private let old: [Substring]
    private let new: [Substring]
    /// The furthest position in `old` per number of edits and diagonal, starting at diagonal
    /// `-edits`.
    private var furthest: [[Int]] = []

    init(from old: [Substring], to new: [Substring]) {
        self.old = old
        self.new = new
    }

    /// Searches.
    ///
    /// Returns whether it reached the end of both texts.
    mutating func run() -> Bool {
        for edits in 0...WordDiff.maximumEdits {
            var row = Array(repeating: -1, count: 2 * edits + 1)
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let place = slide(from: begin(on: diagonal, after: edits), on: diagonal)
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

    /// The furthest position on a diagonal for a number of edits; -1 if the diagonal was not
    /// reached.
    private func reached(on diagonal: Int, after edits: Int) -> Int {
        guard edits >= 0, abs(diagonal) <= edits else { return -1 }
        return furthest[edits][diagonal + edits]
    }

    private func begin(on diagonal: Int, after edits: Int) -> Int {
        guard edits > 0 else { return 0 }
        return isInsertion(on: diagonal, after: edits)
            ? reached(on: diagonal + 1, after: edits - 1)
            : reached(on: diagonal - 1, after: edits - 1) + 1
    }

    private func isInsertion(on diagonal: Int, after edits: Int) -> Bool {
        diagonal == -edits
            || diagonal != edits
                && reached(on: diagonal - 1, after: edits - 1)
                    < reached(on: diagonal + 1, after: edits - 1)
    }

    private func slide(from start: Int, on diagonal: Int) -> Int {
        var place = start
        while place < old.count, place - diagonal < new.count, place - diagonal >= 0,
            old[place] == new[place - diagonal]
        {
            place += 1
        }
        return place
    }

    /// Traces the path back from the end.
    var segments: [TextSegment] {
        var result: [TextSegment] = []
        var place = old.count
        var other = new.count
        for edits in stride(from: furthest.count - 1, through: 0, by: -1) {
            let diagonal = place - other
            let start = begin(on: diagonal, after: edits)
            while place > start {
                place -= 1
                other -= 1
                result.append(TextSegment(kind: .same, text: String(old[place])))
            }
            guard edits > 0 else { break }
            if isInsertion(on: diagonal, after: edits) {
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
