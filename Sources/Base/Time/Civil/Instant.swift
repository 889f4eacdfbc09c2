import Text

/// A point in time with a resolution of one second.
///
/// The range is that of RFC 3339: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z. Leap seconds are
/// not counted.
package struct Instant: Hashable, Sendable {
    package let secondsSince1970: Int64

    /// Seconds outside the range are clamped.
    package init(secondsSince1970 seconds: Int64) {
        secondsSince1970 = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    }

    package static let earliest = Instant(secondsSince1970: .min)
    package static let latest = Instant(secondsSince1970: .max)

    package static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// Clamps to ``earliest`` and ``latest``.
    package func advanced(bySeconds seconds: Int64) -> Instant {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        guard overflow else { return Instant(secondsSince1970: sum) }
        return seconds < 0 ? .earliest : .latest
    }

    /// Positive if `earlier` is earlier.
    package func seconds(since earlier: Instant) -> Int64 {
        secondsSince1970 - earlier.secondsSince1970
    }
}

extension Instant: Comparable {
    package static func < (left: Instant, right: Instant) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}

extension Instant: CustomStringConvertible {
    package var description: String { utcText }
}

extension Instant {
    /// Formatted like `2037-03-20T08:30:00Z` (RFC 3339).
    package var utcText: String {
        let civil = CivilDateTime(utcSeconds: secondsSince1970)
        let (hour, minute) = (padded(civil.time.hour, to: 2), padded(civil.time.minute, to: 2))
        return "\(civil.date)T\(hour):\(minute):\(padded(civil.time.second, to: 2))Z"
    }

    /// Reads RFC 3339: `2037-03-20T08:30:00Z`, or with an offset `±hh:mm`.
    ///
    /// Fractions of a second are dropped. `T` and `Z` may be lowercase. Leap seconds (`:60`) and
    /// the year 0 are refused.
    package init?(rfc3339 text: some StringProtocol) {
        var scanner = ASCIIScanner(text.utf8)
        guard let date = CivilDate(scanning: &scanner), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.number(digits: 2...2), scanner.skip(":"),
            let minute = scanner.number(digits: 2...2), scanner.skip(":"),
            let second = scanner.number(digits: 2...2),
            let time = CivilTime(hour: hour, minute: minute, second: second),
            Self.skipFraction(&scanner), let offset = Self.offset(&scanner), scanner.isAtEnd
        else { return nil }
        let seconds = CivilDateTime(date: date, time: time).utcSeconds - offset
        guard Self.range.contains(seconds) else { return nil }
        self.init(secondsSince1970: seconds)
    }

    private static func skipFraction(_ scanner: inout ASCIIScanner) -> Bool {
        guard scanner.skip(".") else { return true }
        return !scanner.run(while: \.isASCIIDigit).isEmpty
    }

    private static func offset(_ scanner: inout ASCIIScanner) -> Int64? {
        if scanner.skip("Z") || scanner.skip("z") { return 0 }
        let isNegative = scanner.skip("-")
        guard isNegative || scanner.skip("+"),
            let hours = scanner.number(digits: 2...2), scanner.skip(":"),
            let minutes = scanner.number(digits: 2...2), hours < 24, minutes < 60
        else { return nil }
        return Int64(hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }
}
