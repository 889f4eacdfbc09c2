import FCMClient
package import HTTPTransport
package import Time

/// Compares this computer's clock with a server's.
package enum ClockCheck {
    /// In seconds: Google rejects assertions from a clock that is off by more than five minutes
    /// (Google Identity, Using OAuth 2.0 for server to server applications).
    package static let refused: Int64 = 300
    package static let tolerated: Int64 = 60

    /// `before` and `after`: when the request left and when its answer arrived, by the local clock.
    package static func finding(
        _ answer: HTTPAnswer,
        before: Instant,
        after: Instant
    ) -> CheckupFinding {
        guard let text = answer.header("Date") else {
            return .skipped(.clock, because: "the server's answer has no Date")
        }
        guard let date = Instant(httpDate: text) else {
            return CheckupFinding(
                .clock,
                verdict: .warning,
                seen: "the server's Date cannot be read"
            )
        }
        let skew = skew(of: date, between: before, and: after)
        let words = "\(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") the server"
        let wayOut = "synchronize the system clock (NTP), and run the check again"
        switch abs(skew) {
        case 0: return .ok(.clock, seen: "agrees with the server's")
        case ...tolerated: return .ok(.clock, seen: words)
        case ...refused:
            return CheckupFinding(.clock, verdict: .warning, seen: words, wayOut: wayOut)
        default:
            return CheckupFinding(
                .clock,
                verdict: .problem,
                seen: words + ": token requests are refused, and sends start at the wrong time",
                wayOut: wayOut
            )
        }
    }

    /// Returns a positive skew if the local clock is ahead, and zero if the date is within the
    /// request's time.
    private static func skew(of date: Instant, between before: Instant, and after: Instant) -> Int64
    {
        if date < before { return before.seconds(since: date) }
        return date > after ? -date.seconds(since: after) : 0
    }
}
