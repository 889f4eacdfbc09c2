extension Array {
    /// Returns the first index whose element satisfies `predicate`, or the count if none does.
    ///
    /// All elements that satisfy it must come last.
    package func partitionIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
