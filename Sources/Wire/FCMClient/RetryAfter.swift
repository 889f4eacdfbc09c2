import HTTPTransport
import Time

extension HTTPAnswer {
    /// The pause that the server requests: seconds, or a date (RFC 9110, section 10.2.3).
    ///
    /// A date is relative to the server's own `Date` header and is ignored without it.
    package var retryAfter: Duration? {
        guard let text = header("Retry-After") else { return nil }
        if let seconds = Int64(text) { return .seconds(min(max(0, seconds), Self.longestDelay)) }
        guard let moment = Instant(httpDate: text), let date = header("Date"),
            let now = Instant(httpDate: date)
        else { return nil }
        return .seconds(min(max(0, moment.seconds(since: now)), Self.longestDelay))
    }

    /// One day, because clocks cannot sleep for arbitrary durations.
    private static let longestDelay: Int64 = 86_400
}

extension Instant {
    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, the format that servers write (RFC 9110, section
    /// 5.6.7).
    package init?(httpDate text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
            let month = Self.months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            let date = CivilDate(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let seconds = clock[0] * 3_600 + clock[1] * 60 + clock[2]
        self.init(secondsSince1970: Int64(date.daysSince1970 * 86_400 + seconds))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
