import Time

/// Iterates over the periods of a rule that have slots.
struct RecurrenceCursor {
    private let rule: RecurrenceRule
    private let times: RecurrenceTimes
    /// The next period.
    ///
    /// Counted in calendar years, or in months, weeks, days, hours or minutes since 1970.
    private var index: Int

    /// Starts at the period of the rule's start, or at the rule's last period that does not begin
    /// after `local`.
    init(_ rule: RecurrenceRule, notAfter local: CivilDateTime) {
        self.rule = rule
        times = RecurrenceTimes(rule)
        let first = Self.index(of: rule.start, in: rule)
        let periods = max(0, Self.index(of: local, in: rule) - first) / rule.interval
        index = first + periods * rule.interval
    }

    /// The number of consecutive empty periods that proves the end of the rule.
    ///
    /// It covers 400 years, after which the calendar repeats.
    private static func patience(_ frequency: RecurrenceFrequency) -> Int {
        switch frequency {
        case .yearly: 400
        case .monthly: 400 * 12
        case .weekly: DayCount.perCycle / 7
        case .daily, .hourly, .minutely: DayCount.perCycle
        }
    }

    mutating func next() -> RecurrencePeriod? {
        guard !times.areEmpty else { return nil }
        for _ in 0...Self.patience(rule.frequency) {
            guard let range = daysOfPeriod, range.lowerBound <= DayCount.last else { return nil }
            let days = range.filter { $0 <= DayCount.last && rule.days.contain($0) }
            guard !days.isEmpty else {
                guard stepToNextDay() else { return nil }
                continue
            }
            let period = RecurrencePeriod(
                days: days,
                times: times.ofPeriod(index),
                positions: rule.positions
            )
            index += rule.interval
            if period.count > 0 { return period }
        }
        return nil
    }

    /// Skips an empty period; a period shorter than a day is skipped together with its day.
    private mutating func stepToNextDay() -> Bool {
        guard let perDay = rule.frequency.periodsPerDay else {
            index += rule.interval
            return true
        }
        let day = floorDivide(index, by: perDay).quotient
        let limit = min(day + DayCount.perCycle, DayCount.last)
        guard day < limit, let next = (day + 1...limit).first(where: rule.days.contain) else {
            return false
        }
        let distance = next * perDay - index
        index += (distance + rule.interval - 1) / rule.interval * rule.interval
        return true
    }

    private var daysOfPeriod: Range<Int>? {
        switch rule.frequency {
        case .yearly:
            return DayCount.days(
                year: index,
                month: 1,
                day: 1
            )..<DayCount.days(year: index + 1, month: 1, day: 1)
        case .monthly:
            let (years, month) = floorDivide(index, by: 12)
            let first = DayCount.days(year: 1970 + years, month: month + 1, day: 1)
            return first..<first + DayCount.length(ofMonth: month + 1, year: 1970 + years)
        case .weekly:
            let first = index * 7 - Self.weekShift(rule)
            return first..<first + 7
        case .daily:
            return index..<index + 1
        case .hourly, .minutely:
            guard let perDay = rule.frequency.periodsPerDay else { return nil }
            let day = floorDivide(index, by: perDay).quotient
            return day..<day + 1
        }
    }

    private static func index(of local: CivilDateTime, in rule: RecurrenceRule) -> Int {
        let day = local.date.daysSince1970
        return switch rule.frequency {
        case .yearly: local.date.year
        case .monthly: (local.date.year - 1970) * 12 + local.date.month - 1
        case .weekly: floorDivide(day + weekShift(rule), by: 7).quotient
        case .daily: day
        case .hourly: day * 24 + local.time.hour
        case .minutely: day * 1440 + local.time.hour * 60 + local.time.minute
        }
    }

    /// Weeks are counted from the week of 1970-01-01, which was a Thursday.
    private static func weekShift(_ rule: RecurrenceRule) -> Int {
        (Weekday.thursday.rawValue - rule.weekStart.rawValue + 7) % 7
    }
}

extension RecurrenceFrequency {
    /// nil for periods of a day or longer.
    fileprivate var periodsPerDay: Int? {
        switch self {
        case .hourly: 24
        case .minutely: 1440
        case .daily, .weekly, .monthly, .yearly: nil
        }
    }
}

extension DayCount {
    /// The number of days in 400 years, which is a whole number of weeks.
    static let perCycle = 146_097
    /// 9999-12-31.
    static let last = days(year: 9999, month: 12, day: 31)
}
