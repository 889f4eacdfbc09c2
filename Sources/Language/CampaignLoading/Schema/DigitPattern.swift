/// Regular expressions for ranges of integers, in decimal digits without leading zeros.
enum DigitPattern {
    /// Precondition: the range has no negative numbers.
    static func numbers(in range: ClosedRange<Int64>) -> String {
        var parts: [String] = []
        var low = range.lowerBound
        while true {
            // Handles the numbers of one length at a time.
            let (limit, overflow) = powerOfTen(String(low).utf8.count)
            let high = overflow ? range.upperBound : min(range.upperBound, limit - 1)
            parts += numbers(of: digits(low), to: digits(high))
            if high == range.upperBound { return parts.joined(separator: "|") }
            low = high + 1
        }
    }

    /// Returns alternatives for the numbers between two of the same length.
    private static func numbers(of low: ArraySlice<Int>, to high: ArraySlice<Int>) -> [String] {
        guard let first = low.first, let last = high.first else { return [""] }
        let lowRest = low.dropFirst()
        let highRest = high.dropFirst()
        let isLowest = lowRest.allSatisfy { $0 == 0 }
        let isHighest = highRest.allSatisfy { $0 == 9 }
        if isLowest && isHighest { return [digit(first...last) + any(lowRest.count)] }
        if first == last { return numbers(of: lowRest, to: highRest).map { "\(first)\($0)" } }
        var parts: [String] = []
        let nines = ArraySlice(highRest.map { _ in 9 })
        let zeros = ArraySlice(lowRest.map { _ in 0 })
        if !isLowest { parts += numbers(of: lowRest, to: nines).map { "\(first)\($0)" } }
        let middle = (isLowest ? first : first + 1)..<(isHighest ? last + 1 : last)
        if !middle.isEmpty { parts.append(digit(ClosedRange(middle)) + any(lowRest.count)) }
        if !isHighest { parts += numbers(of: zeros, to: highRest).map { "\(last)\($0)" } }
        return parts
    }

    private static func digits(_ number: Int64) -> ArraySlice<Int> {
        ArraySlice(String(number).utf8.map { Int($0) - 0x30 })
    }

    private static func digit(_ range: ClosedRange<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "[\(range.lowerBound)-\(range.upperBound)]"
    }

    private static func any(_ count: Int) -> String {
        count == 0 ? "" : count == 1 ? "[0-9]" : "[0-9]{\(count)}"
    }

    private static func powerOfTen(_ exponent: Int) -> (Int64, overflow: Bool) {
        var result: Int64 = 1
        for _ in 0..<exponent {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return (result, true) }
            result = product
        }
        return (result, false)
    }
}
