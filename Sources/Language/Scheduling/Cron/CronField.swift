import Time

/// The fields of a cron expression, in their order (crontab(5)).
package enum CronField: Hashable, Sendable, CaseIterable {
    case minute
    case hour
    case dayOfMonth
    case month
    case dayOfWeek

    /// The values that `*` matches.
    var values: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...6
        }
    }

    /// The numbers that may be written; 7 also means Sunday.
    var writtenValues: ClosedRange<Int> {
        self == .dayOfWeek ? 0...7 : values
    }

    private var names: [String] {
        switch self {
        case .minute, .hour, .dayOfMonth: []
        case .month: MonthNames.english.map(Self.short)
        case .dayOfWeek: Weekday.allCases.map { Self.short($0.englishName) }
        }
    }

    private static func short(_ name: String) -> String { name.prefix(3).uppercased() }

    /// Reads a number or a name in any case; 7 stays 7.
    func value(_ part: TextPart) -> Int? {
        if let number = part.number { return writtenValues.contains(number) ? number : nil }
        return names.firstIndex(of: part.uppercased).map { $0 + values.lowerBound }
    }

    package var wording: String {
        switch self {
        case .minute: "minute"
        case .hour: "hour"
        case .dayOfMonth: "day of month"
        case .month: "month"
        case .dayOfWeek: "day of week"
        }
    }

    func name(_ value: Int) -> String {
        switch self {
        case .minute, .hour, .dayOfMonth: String(value)
        case .month: MonthNames.name(value)
        case .dayOfWeek: Weekday(rawValue: value % 7)?.englishName ?? String(value)
        }
    }
}
