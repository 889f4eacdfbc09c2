/// A yearly rule: the `TZ` string at the end of a TZif file (RFC 9636, section 3.3).
struct PosixTimeZone: Hashable, Sendable {
    struct DaylightSaving: Hashable, Sendable {
        let offset: UTCOffset
        /// In standard time.
        let start: YearlyMoment
        /// In daylight-saving time.
        let end: YearlyMoment
    }

    let standard: UTCOffset
    let daylightSaving: DaylightSaving?

    func offset(at seconds: Int64) -> UTCOffset {
        guard let daylightSaving else { return standard }
        // Times range from -167 to 167 hours: a period can begin in the year before its own and end
        // in the year after its regular end.
        let year = Self.year(at: seconds)
        let isInPeriod = (year - 2...year + 1).contains {
            period(in: $0, of: daylightSaving)(seconds)
        }
        return isInPeriod ? daylightSaving.offset : standard
    }

    /// Returns ascending seconds in `from..<upTo` at which daylight saving may begin or end.
    ///
    /// It returns none before the earliest instant.
    func boundaries(from: Int64, upTo: Int64) -> [Int64] {
        let from = max(from, Instant.range.lowerBound - 7 * 86_400)
        guard let daylightSaving, from < upTo else { return [] }
        return (Self.year(at: from) - 1...Self.year(at: upTo) + 1)
            .flatMap { [start(in: $0, of: daylightSaving), end(in: $0, of: daylightSaving)] }
            .filter { from <= $0 && $0 < upTo }
            .sorted()
    }

    /// Whether a time is in the period that starts in `year`.
    ///
    /// In the southern hemisphere, the period ends in the next year.
    private func period(in year: Int, of saving: DaylightSaving) -> (Int64) -> Bool {
        let start = start(in: year, of: saving)
        let sameYear = end(in: year, of: saving)
        let end = start <= sameYear ? sameYear : end(in: year + 1, of: saving)
        return { start <= $0 && $0 < end }
    }

    private func start(in year: Int, of saving: DaylightSaving) -> Int64 {
        Int64(saving.start.seconds(in: year) - standard.seconds)
    }

    private func end(in year: Int, of saving: DaylightSaving) -> Int64 {
        Int64(saving.end.seconds(in: year) - saving.offset.seconds)
    }

    private static func year(at seconds: Int64) -> Int {
        DayCount.civil(days: floorDivide(Int(seconds), by: 86_400).quotient).year
    }
}

/// A day and time that occurs every year.
struct YearlyMoment: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// `Jn`: 1 to 365; February 29 is never counted.
        case julian(Int)
        /// `n`: 0 to 365; February 29 is counted.
        case zeroBased(Int)
        /// `Mm.w.d`: week 5 is the last; weekday 0 is Sunday.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    let day: Day
    /// From midnight of the day, -167 to 167 hours.
    let seconds: Int

    /// Seconds from 1970-01-01 00:00 on the same clock.
    func seconds(in year: Int) -> Int {
        days(in: year) * 86_400 + seconds
    }

    private func days(in year: Int) -> Int {
        let newYear = DayCount.days(year: year, month: 1, day: 1)
        switch day {
        case .zeroBased(let number):
            return newYear + number
        case .julian(let number):
            return newYear + number - 1 + (number > 59 && DayCount.isLeap(year) ? 1 : 0)
        case .weekday(let month, let week, let weekday):
            let first = DayCount.days(year: year, month: month, day: 1)
            let length = DayCount.length(ofMonth: month, year: year)
            let firstMatch = (weekday - DayCount.weekday(days: first) + 7) % 7
            let match = firstMatch + (week - 1) * 7
            return first + (match < length ? match : match - 7)
        }
    }
}
