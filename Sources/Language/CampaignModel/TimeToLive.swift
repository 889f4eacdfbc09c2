/// How long FCM keeps a message that it cannot deliver at once, in whole seconds.
///
/// 0 means "now or never": such a message is not stored. The range is 0 to 2,419,200 s (28 days;
/// Firebase documentation, Setting the lifespan of a message).
package struct TimeToLive: Hashable, Sendable {
    package let seconds: Int64

    package static let maximumSeconds: Int64 = 2_419_200

    package init?(seconds: Int64) {
        guard (0...Self.maximumSeconds).contains(seconds) else { return nil }
        self.seconds = seconds
    }
}

/// Reads and writes durations such as `90s`, `30m`, `12h`, `4d`, `1h30m`, or `0`.
package enum DurationText {
    /// Returns the seconds; nil if the text is not a duration or exceeds 64 bits.
    package static func seconds(_ text: String) -> Int64? {
        if text == "0" { return 0 }
        var total: Int64 = 0
        var rest = text[...]
        var lastUnit = Int64.max
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let count = Int64(digits), let symbol = rest.popFirst(),
                let unit = units[symbol], unit < lastUnit
            else { return nil }
            let (product, tooLarge) = count.multipliedReportingOverflow(by: unit)
            let (sum, overflow) = total.addingReportingOverflow(product)
            guard !tooLarge, !overflow else { return nil }
            total = sum
            lastUnit = unit
        }
        return lastUnit == .max ? nil : total
    }

    /// Returns the shortest exact form, such as `1h30m`.
    package static func text(seconds: Int64) -> String {
        guard seconds > 0 else { return "0" }
        var rest = seconds
        var text = ""
        for (symbol, unit) in units.sorted(by: { $0.value > $1.value }) where rest >= unit {
            text += "\(rest / unit)\(symbol)"
            rest %= unit
        }
        return text
    }

    private static let units: [Character: Int64] = ["d": 86_400, "h": 3_600, "m": 60, "s": 1]
}
