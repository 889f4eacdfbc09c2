package import Time

/// The local times that a cron expression of five fields matches (crontab(5), with `L` and `#`).
///
/// It matches at least one time of the calendar. Its slots are on whole minutes.
package struct CronSchedule: Hashable, Sendable {
    let minutes: NumberSet
    let hours: NumberSet
    let days: CronDays
    let months: NumberSet
    /// Whether a time that clocks skip is made up for: neither the minute nor the hour starts with
    /// `*`, as in cron daemons.
    let makesUpSkippedTimes: Bool

    /// - Throws: The error and its place, including that no day of the calendar matches.
    package init(parsing text: some StringProtocol) throws(CronError) {
        self = try CronParser(text).schedule()
    }

    /// Returns the first error of each field of an expression; empty if it is valid.
    package static func errors(parsing text: some StringProtocol) -> [CronError] {
        CronParser(text).errors()
    }

    init(
        minutes: NumberSet,
        hours: NumberSet,
        days: CronDays,
        months: NumberSet,
        makesUpSkippedTimes: Bool
    ) {
        self.minutes = minutes
        self.hours = hours
        self.days = days
        self.months = months
        self.makesUpSkippedTimes = makesUpSkippedTimes
    }

    /// The calendar repeats after 400 years, weekdays included.
    private static let monthsOfCalendar = 400 * 12

    /// Returns the first matching local time later than `local`; nil only at the end of the
    /// calendar.
    ///
    /// The work is proportional to the number of months in between, not of minutes.
    package func next(after local: CivilDateTime) -> CivilDateTime? {
        if matches(local.date), let time = time(after: local.time) {
            return CivilDateTime(date: local.date, time: time)
        }
        guard let time = firstTime, let date = date(after: local.date) else { return nil }
        return CivilDateTime(date: date, time: time)
    }

    private func matches(_ date: CivilDate) -> Bool {
        matchingDays(year: date.year, month: date.month).contains(date.day)
    }

    private func date(after date: CivilDate) -> CivilDate? {
        var (year, month, lower) = (date.year, date.month, date.day + 1)
        for _ in 0...Self.monthsOfCalendar {
            if let day = matchingDays(year: year, month: month).first(from: lower) {
                return CivilDate(year: year, month: month, day: day)
            }
            (year, month, lower) = month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
        }
        return nil
    }

    private func matchingDays(year: Int, month: Int) -> NumberSet {
        months.contains(month) ? days.days(year: year, month: month) : NumberSet()
    }

    private var firstTime: CivilTime? {
        guard let hour = hours.first(from: 0), let minute = minutes.first(from: 0) else {
            return nil
        }
        return CivilTime(hour: hour, minute: minute)
    }

    private func time(after time: CivilTime) -> CivilTime? {
        if hours.contains(time.hour), let minute = minutes.first(from: time.minute + 1) {
            return CivilTime(hour: time.hour, minute: minute)
        }
        guard let hour = hours.first(from: time.hour + 1), let minute = minutes.first(from: 0)
        else { return nil }
        return CivilTime(hour: hour, minute: minute)
    }

    /// Whether no day of the calendar matches.
    var isEmpty: Bool {
        !(2000..<2400).contains { year in
            (1...12).contains { !matchingDays(year: year, month: $0).isEmpty }
        }
    }
}
