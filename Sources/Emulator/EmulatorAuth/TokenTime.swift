import Text
import Time

/// A time in UTC, in whole milliseconds since 1970-01-01T00:00:00Z.
package struct TokenTime: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: TokenTime, right: TokenTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Whole seconds since 1970.
    var seconds: Int64 { milliseconds / 1_000 }

    /// Returns the time `seconds` later, or the last representable time on overflow.
    func advanced(bySeconds seconds: Int64) -> TokenTime {
        let (span, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(span)
        return TokenTime(milliseconds: isTooLong || isTooFar ? .max : sum)
    }
}

extension TokenTime {
    private var instant: Instant { Instant(secondsSince1970: seconds) }

    /// RFC 3339 text with seconds, such as `2037-03-20T07:30:00Z`.
    var rfc3339Seconds: String { instant.utcText }

    /// RFC 3339 text with milliseconds, such as `2037-03-20T07:30:00.000Z`.
    var rfc3339: String {
        instant.utcText.dropLast() + "." + padded(Int(milliseconds % 1_000), to: 3) + "Z"
    }

    /// Parses exactly the form that `rfc3339` produces.
    init?(rfc3339 text: String) {
        guard text.utf8.count == 24, let instant = Instant(rfc3339: text.prefix(19) + "Z"),
            let milliseconds = Int64(text.dropFirst(20).dropLast())
        else { return nil }
        self.init(milliseconds: instant.secondsSince1970 * 1_000 + milliseconds)
        guard rfc3339 == text else { return nil }
    }
}
