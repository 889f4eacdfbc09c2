import Time

/// The days that the two day fields of a cron expression match.
struct CronDays: Hashable, Sendable {
    /// How the two fields combine.
    enum Combination: Hashable, Sendable {
        /// A field that begins with `*` restricts nothing: both fields must match.
        case both
        /// Both fields are restricted: one match is enough.
        case either
    }

    var monthDays = NumberSet()
    var hasLastDay = false
    /// 0 is Sunday; every such day of the month matches.
    var weekdays = NumberSet()
    var lastWeekdays = NumberSet()
    /// `ordinal * 7 + weekday`, ordinals from 1 to 5.
    var ordinalWeekdays = NumberSet()
    var combination = Combination.both

    /// The matching days of a month, from 1.
    func days(year: Int, month: Int) -> NumberSet {
        let length = DayCount.length(ofMonth: month, year: year)
        var days = monthDays
        if hasLastDay { days.insert(length) }
        let byWeekday = daysByWeekday(
            length: length,
            firstWeekday: DayCount.weekday(days: DayCount.days(year: year, month: month, day: 1))
        )
        switch combination {
        case .both: days.formIntersection(byWeekday)
        case .either: days.formUnion(byWeekday)
        }
        days.formIntersection(NumberSet(1...length))
        return days
    }

    private func daysByWeekday(length: Int, firstWeekday: Int) -> NumberSet {
        NumberSet(
            (1...length).filter { day in
                let weekday = (firstWeekday + day - 1) % 7
                return weekdays.contains(weekday)
                    || (day + 7 > length && lastWeekdays.contains(weekday))
                    || ordinalWeekdays.contains(((day - 1) / 7 + 1) * 7 + weekday)
            }
        )
    }
}
