import Time

/// The days that a recurrence rule matches.
///
/// Within a period, every part narrows the remaining days. This gives the same days as RFC 5545's
/// table of expanding and limiting.
struct RecurrenceDays: Hashable, Sendable {
    let months: Set<Int>
    let weekNumbers: Set<Int>
    let yearDays: Set<Int>
    let monthDays: Set<Int>
    let weekdays: Set<OrdinalWeekday>
    /// Whether numbered weekdays count within the year instead of the month.
    let countsInYear: Bool
    private let weekStart: Weekday

    /// Values that the rule omits come from the start (RFC 5545, section 3.3.10).
    init(_ parts: RecurrenceParts, start: CivilDate) {
        var months = Set(parts.numbers[.byMonth] ?? [])
        var monthDays = Set(parts.numbers[.byMonthDay] ?? [])
        var weekdays = Set(parts.weekdays)
        weekNumbers = Set(parts.numbers[.byWeekNumber] ?? [])
        yearDays = Set(parts.numbers[.byYearDay] ?? [])
        countsInYear = parts.frequency == .yearly && months.isEmpty
        weekStart = parts.weekStart

        if yearDays.isEmpty, monthDays.isEmpty, weekdays.isEmpty {
            let ownWeekday: Set = [OrdinalWeekday(ordinal: nil, weekday: start.weekday)]
            switch parts.frequency {
            case .yearly where !weekNumbers.isEmpty, .weekly: weekdays = ownWeekday
            case .yearly:
                monthDays = [start.day]
                if months.isEmpty { months = [start.month] }
            case .monthly: monthDays = [start.day]
            case .daily, .hourly, .minutely: break
            }
        }
        self.months = months
        self.monthDays = monthDays
        self.weekdays = weekdays
    }

    /// Whether a day, counted from 1970-01-01, matches.
    func contain(_ day: Int) -> Bool {
        let (year, month, dayOfMonth) = DayCount.civil(days: day)
        guard months.isEmpty || months.contains(month) else { return false }
        let length = DayCount.length(ofMonth: month, year: year)
        guard monthDays.isEmpty || Self.has(monthDays, number: dayOfMonth, of: length) else {
            return false
        }
        let firstOfYear = DayCount.days(year: year, month: 1, day: 1)
        let yearLength = DayCount.isLeap(year) ? 366 : 365
        let dayOfYear = day - firstOfYear + 1
        guard yearDays.isEmpty || Self.has(yearDays, number: dayOfYear, of: yearLength),
            weekNumbers.isEmpty || hasWeekNumber(day)
        else { return false }
        return weekdays.isEmpty
            || (countsInYear
                ? hasWeekday(day, place: dayOfYear, of: yearLength)
                : hasWeekday(day, place: dayOfMonth, of: length))
    }

    /// Numbers count from 1; negative numbers count from the end.
    private static func has(_ numbers: Set<Int>, number: Int, of total: Int) -> Bool {
        numbers.contains(number) || numbers.contains(number - total - 1)
    }

    private func hasWeekday(_ day: Int, place: Int, of length: Int) -> Bool {
        let number = DayCount.weekday(days: day)
        let fromFront = (place - 1) / 7 + 1
        let fromBehind = (length - place) / 7 + 1
        return weekdays.contains { item in
            guard item.weekday.rawValue == number else { return false }
            guard let ordinal = item.ordinal else { return true }
            return ordinal == fromFront || ordinal == -fromBehind
        }
    }

    /// Week 1 is the first week with at least four days in the year.
    ///
    /// A day at the end of December can be in week 1; a day at the beginning of January can be in
    /// the last week.
    private func hasWeekNumber(_ day: Int) -> Bool {
        let middle = middleOfWeek(day)
        let year = DayCount.civil(days: middle).year
        let firstOfYear = DayCount.days(year: year, month: 1, day: 1)
        // December 28 is always in the last week.
        let lastMiddle = middleOfWeek(DayCount.days(year: year, month: 12, day: 28))
        let weeks = (lastMiddle - firstOfYear) / 7 + 1
        return Self.has(weekNumbers, number: (middle - firstOfYear) / 7 + 1, of: weeks)
    }

    /// The fourth day, whose year is the week's year.
    private func middleOfWeek(_ day: Int) -> Int {
        day - (DayCount.weekday(days: day) - weekStart.rawValue + 7) % 7 + 3
    }
}
