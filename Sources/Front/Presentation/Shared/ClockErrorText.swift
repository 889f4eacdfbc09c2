/// Errors of the clock.
extension ErrorText {
    package static func invalidClock(_ text: String) -> ErrorText {
        ErrorText(
            "HERALD_NOW is not an RFC 3339 timestamp: `\(TextStyle.safe(text))`",
            help: "write a timestamp such as 2037-03-20T08:30:00Z"
        )
    }
}
