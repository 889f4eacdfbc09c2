/// The offset that a zone's clocks have at some instant.
package struct UTCOffset: Hashable, Sendable {
    /// Local time minus UTC; between -25 and 26 hours (RFC 9636, section 3.2).
    package let seconds: Int
    package let isDaylightSaving: Bool
    /// The abbreviation in the zone's data: `CEST`, or `+0330` if no name is in use.
    package let abbreviation: String

    package init(seconds: Int, isDaylightSaving: Bool, abbreviation: String) {
        self.seconds = seconds
        self.isDaylightSaving = isDaylightSaving
        self.abbreviation = abbreviation
    }

    static let allowedSeconds: ClosedRange<Int> = (-25 * 3600 + 1)...(26 * 3600 - 1)
}
