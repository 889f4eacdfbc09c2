import DeliveryModel
import TestSupport
import Testing

struct DeliveryMomentTests {
    // The milliseconds are from `date -u -d TEXT +%s`.
    static let moments: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_604_750_400_000, "2020-11-07T12:00:00.000Z"),
        (2_121_147_000_007, "2037-03-20T07:30:00.007Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    ]

    @Test(arguments: moments)
    func `formats and parses RFC 3339`(milliseconds: Int64, text: String) {
        #expect(DeliveryMoment(milliseconds: milliseconds).rfc3339 == text)
        #expect(DeliveryMoment(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "2037-03-20T07:30:00Z", "2037-02-30T07:30:00.000Z", "2037-03-20 07:30:00.000Z",
        "2037-03-20T24:00:00.000Z", "",
    ])
    func `refuses other forms`(text: String) {
        #expect(DeliveryMoment(rfc3339: text) == nil)
    }

    @Test(
        .covers("F1.4-ttl"),
        arguments: [
            ("3.5s", 3), ("0s", 0), ("2419200s", 2_419_200), ("0.999999999s", 0), ("-1s", -1),
            ("-0.5s", -1), ("3.500000000s", 3),
        ]
    )
    func `rounds a duration down`(text: String, seconds: Int64) {
        #expect(DurationText(text)?.wholeSeconds == seconds)
    }

    @Test(arguments: ["", "s", "5", "5m", "1.s", ".5s", "1.0000000000s", "1e3s", " 1s", "+1s"])
    func `refuses malformed durations`(text: String) {
        #expect(DurationText(text) == nil)
    }
}
