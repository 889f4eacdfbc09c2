package import Time

/// A day of a calendar, and its ISO week.
package struct LocalDay: Hashable, Sendable {
    /// Days since 1970-01-01.
    let day: Int32
    /// Weeks since the one of 1970-01-01; a week begins on Monday.
    let week: Int32

    package init(at instant: Instant, in rules: TimeZoneRules) {
        let days = rules.localTime(at: instant).date.daysSince1970
        day = Int32(truncatingIfNeeded: days)
        // 1970-01-01 was a Thursday.
        week = Int32(truncatingIfNeeded: floorDivide(days + 3, by: 7).quotient)
    }
}

extension TimeZoneRules {
    /// Returns the instant at which the next day begins.
    func nextDay(after instant: Instant) -> Instant {
        let today = localTime(at: instant).date.daysSince1970
        var end = instant
        // Where clocks skip a whole day, the first day after today begins now.
        for days in 1...2 where end <= instant {
            let date = CivilDate(daysSince1970: today + days)
            end = resolve(CivilDateTime(date: date, time: .midnight)).instant
        }
        return end
    }
}
