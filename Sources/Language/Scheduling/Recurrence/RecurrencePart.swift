/// The parts of a recurrence rule by name (RFC 5545, section 3.3.10).
package enum RecurrencePart: String, Hashable, Sendable, CaseIterable {
    case frequency = "FREQ"
    case until = "UNTIL"
    case count = "COUNT"
    case interval = "INTERVAL"
    case bySecond = "BYSECOND"
    case byMinute = "BYMINUTE"
    case byHour = "BYHOUR"
    case byDay = "BYDAY"
    case byMonthDay = "BYMONTHDAY"
    case byYearDay = "BYYEARDAY"
    case byWeekNumber = "BYWEEKNO"
    case byMonth = "BYMONTH"
    case bySetPosition = "BYSETPOS"
    case weekStart = "WKST"

    /// The allowed numbers of a list; nil for parts that are not lists of numbers.
    ///
    /// BYSECOND excludes 60: there are no leap seconds.
    var numbers: ClosedRange<Int>? {
        switch self {
        case .bySecond, .byMinute: 0...59
        case .byHour: 0...23
        case .byMonth: 1...12
        case .byMonthDay: 1...31
        case .byYearDay, .bySetPosition: 1...366
        case .byWeekNumber: 1...53
        case .frequency, .until, .count, .interval, .byDay, .weekStart: nil
        }
    }

    /// Whether negative numbers count from the end.
    var isSigned: Bool {
        switch self {
        case .byMonthDay, .byYearDay, .bySetPosition, .byWeekNumber: true
        case .frequency, .until, .count, .interval, .bySecond, .byMinute, .byHour, .byDay,
            .byMonth, .weekStart:
            false
        }
    }

    /// Whether RFC 5545 defines the part for that frequency.
    func isMeaningful(at frequency: RecurrenceFrequency) -> Bool {
        switch self {
        case .byWeekNumber: frequency == .yearly
        case .byYearDay: ![.daily, .weekly, .monthly].contains(frequency)
        case .byMonthDay: frequency != .weekly
        case .frequency, .until, .count, .interval, .bySecond, .byMinute, .byHour, .byDay,
            .byMonth, .bySetPosition, .weekStart:
            true
        }
    }
}
