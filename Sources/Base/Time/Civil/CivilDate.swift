import Text

/// A day of the proleptic Gregorian calendar, in the years 1 to 9999, without a time zone.
package struct CivilDate: Hashable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// nil if the calendar has no such day or the year is outside 1 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...DayCount.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Day 0 is 1970-01-01.
    ///
    /// Counts outside the years 1 to 9999 are clamped.
    package init(daysSince1970 days: Int) {
        let clamped = min(max(days, Self.firstDay), Self.lastDay)
        (year, month, day) = DayCount.civil(days: clamped)
    }

    package var daysSince1970: Int { DayCount.days(year: year, month: month, day: day) }

    package var weekday: Weekday {
        // The count is 0 to 6, which are exactly the raw values.
        Weekday(rawValue: DayCount.weekday(days: daysSince1970)) ?? .sunday
    }

    private static let firstDay = DayCount.days(year: 1, month: 1, day: 1)
    private static let lastDay = DayCount.days(year: 9999, month: 12, day: 31)
}

extension CivilDate: Comparable {
    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CivilDate: CustomStringConvertible {
    /// Formatted like `2037-03-20`.
    package var description: String {
        "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

/// A day of the week, numbered as in cron and POSIX: 0 is Sunday.
package enum Weekday: Int, CaseIterable, Sendable {
    case sunday
    case monday
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
}
