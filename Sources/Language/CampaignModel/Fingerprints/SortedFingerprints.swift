extension [Fingerprint] {
    /// Returns the first index of this sorted array whose fingerprint is not below another one.
    package func sortedIndex(from fingerprint: Fingerprint) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle] < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the indices of this sorted array's fingerprints between two others, with both.
    package func sortedRange(
        from first: Fingerprint,
        through last: Fingerprint
    ) -> Range<Int> {
        let start = sortedIndex(from: first)
        var end = Swift.max(start, sortedIndex(from: last))
        while end < count, self[end] == last { end += 1 }
        return start..<end
    }

    /// Returns the index of a fingerprint in this sorted array; nil if there is none.
    package func sortedIndex(of fingerprint: Fingerprint) -> Int? {
        let index = sortedIndex(from: fingerprint)
        return index < endIndex && self[index] == fingerprint ? index : nil
    }

    /// Whether this sorted array contains a fingerprint.
    package func containsSorted(_ fingerprint: Fingerprint) -> Bool {
        sortedIndex(of: fingerprint) != nil
    }
}
