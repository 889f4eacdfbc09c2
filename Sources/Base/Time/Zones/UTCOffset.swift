/// What a zone's clocks do at some instant.
package struct UTCOffset: Hashable, Sendable {
    /// How far local time is ahead of UTC; between -25 and 26 hours (RFC 9636, section 3.2).
    package let seconds: Int
    package let isDaylightSaving: Bool
    /// As the zone's data has it: `CEST`, or `+0330` where there is no name in use.
    package let abbreviation: String

    package init(seconds: Int, isDaylightSaving: Bool, abbreviation: String) {
        self.seconds = seconds
        self.isDaylightSaving = isDaylightSaving
        self.abbreviation = abbreviation
    }

    static let allowedSeconds: ClosedRange<Int> = (-25 * 3600 + 1)...(26 * 3600 - 1)
}
