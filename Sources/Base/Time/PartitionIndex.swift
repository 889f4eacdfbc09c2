extension Array {
    /// The first index whose element satisfies `predicate`, or the count where none does.
    ///
    /// The elements that satisfy it must all come last.
    package func partitionIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
