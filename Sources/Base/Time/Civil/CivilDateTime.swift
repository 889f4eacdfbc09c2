package import Text

/// A local date and time of day.
///
/// Its instant depends on the time zone (``TimeZoneRules/resolve(_:)``).
package struct CivilDateTime: Hashable, Sendable {
    package let date: CivilDate
    package let time: CivilTime

    package init(date: CivilDate, time: CivilTime) {
        self.date = date
        self.time = time
    }

    /// Reads only `2037-03-20 07:30` or `2037-03-20T07:30`, each with optional `:ss`.
    package init?(parsing text: some StringProtocol) {
        var scanner = ASCIIScanner(text.utf8)
        guard let date = CivilDate(scanning: &scanner),
            scanner.skip(" ") || scanner.skip("T"),
            let time = CivilTime(scanning: &scanner), scanner.isAtEnd
        else { return nil }
        self.init(date: date, time: time)
    }

    /// The time that a UTC clock shows, clamped to the years 1 to 9999.
    package init(utcSeconds: Int64) {
        let (days, seconds) = floorDivide(Int(utcSeconds), by: 86_400)
        date = CivilDate(daysSince1970: days)
        time = CivilTime(secondsSinceMidnight: seconds)
    }

    /// The seconds since 1970 at which a UTC clock shows this time.
    package var utcSeconds: Int64 { Int64(date.daysSince1970 * 86_400 + time.secondsSinceMidnight) }
}

extension CivilDateTime: Comparable {
    package static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
        (left.date, left.time) < (right.date, right.time)
    }
}

extension CivilDateTime: CustomStringConvertible {
    /// Formatted like `2037-03-20 07:30`; seconds appear only if they are not zero.
    package var description: String { "\(date) \(time)" }
}

extension CivilDate {
    /// Reads `2037-03-20`.
    package init?(scanning scanner: inout ASCIIScanner) {
        guard let year = scanner.number(digits: 4...4), scanner.skip("-"),
            let month = scanner.number(digits: 2...2), scanner.skip("-"),
            let day = scanner.number(digits: 2...2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension CivilTime {
    /// Reads only `07:30` or `07:30:15`.
    package init?(parsing text: some StringProtocol) {
        var scanner = ASCIIScanner(text.utf8)
        guard let time = CivilTime(scanning: &scanner), scanner.isAtEnd else { return nil }
        self = time
    }

    /// Reads `07:30` or `07:30:15`.
    package init?(scanning scanner: inout ASCIIScanner) {
        guard let hour = scanner.number(digits: 2...2), scanner.skip(":"),
            let minute = scanner.number(digits: 2...2)
        else { return nil }
        guard scanner.skip(":") else {
            self.init(hour: hour, minute: minute)
            return
        }
        guard let second = scanner.number(digits: 2...2) else { return nil }
        self.init(hour: hour, minute: minute, second: second)
    }
}
