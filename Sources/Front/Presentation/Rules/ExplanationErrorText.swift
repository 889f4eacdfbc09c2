/// Errors of `herald explain`.
extension ErrorText {
    package static func noExplanation(of name: String, near: String?) -> ErrorText {
        ErrorText(
            "`\(name)` is not a rule, a known FCM error code or an expression",
            help: near.map { "did you mean `\($0)`?" }
                ?? "give a rule from `herald rules`, a code such as UNREGISTERED, a condition, "
                + "five cron fields or an RRULE"
        )
    }

    package static func mixedExpressions(_ count: Int) -> ErrorText {
        ErrorText(
            "\(count) expressions are given, but not all are conditions",
            help: "explain one schedule at a time, in quotation marks"
        )
    }

    package static var cronWithStart: ErrorText {
        ErrorText(
            "--start and --except require a recurrence rule",
            help: "remove them, or give a recurrence rule"
        )
    }

    package static var recurrenceWithoutStart: ErrorText {
        ErrorText(
            "the recurrence rule has no start",
            help: "give its first local time, such as --start '2037-03-20 07:30'"
        )
    }

    package static func noLocalTime(_ text: String) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(text))` is not a local date and time",
            help: "write '2037-03-20 07:30'"
        )
    }

    package static func noStartTimestamp(_ text: String) -> ErrorText {
        ErrorText(
            "--from is not an RFC 3339 timestamp: `\(TextStyle.safe(text))`",
            help: "write a timestamp such as 2037-03-20T08:30:00Z"
        )
    }

    package static func noScheduleTimeZone(_ name: String, near: String?) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(name))` is not a time zone of this system",
            help: near.map { "did you mean `\($0)`?" }
                ?? "write an IANA name such as `Europe/Berlin`"
        )
    }
}

extension ErrorText {
    /// Shows the text and marks `range` in it, in UTF-8 offsets.
    package init(_ message: String, help: String, pointingAt range: Range<Int>, of text: String) {
        let bytes = Array(text.utf8)
        let before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        let marked = String(decoding: bytes[range], as: UTF8.self)
        let mark =
            String(repeating: " ", count: TextStyle.safe(before).count)
            + String(repeating: "^", count: max(1, TextStyle.safe(marked).count))
        self.init(
            "\(TextStyle.safe(message))\n  \(TextStyle.safe(text))\n  \(mark)",
            help: TextStyle.safe(help)
        )
    }
}
