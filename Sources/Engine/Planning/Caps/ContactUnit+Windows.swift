import State

extension ContactUnit {
    /// Marks a request that was sent in no window.
    static let noWindow = UInt16.max

    /// Returns the number of the last window in which each request might be sent; nil if all belong
    /// to the first one.
    ///
    /// A request that was sent in a window cannot be sent in a later one.
    var windowOfRequests: [UInt16]? {
        guard windows.count > 1 || windows[0].mark > 0 else { return nil }
        var numbers = [UInt16](repeating: Self.noWindow, count: count)
        for (number, window) in windows.enumerated() {
            let number = UInt16(truncatingIfNeeded: number)
            for range in window.returned + [min(window.mark, count)..<count] {
                for request in range.clamped(to: 0..<count) { numbers[request] = number }
            }
        }
        return numbers
    }
}
