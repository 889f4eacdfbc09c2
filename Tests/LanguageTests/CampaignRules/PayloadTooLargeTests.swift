import Diagnostics
import TestSupport
import Testing

@Suite(.covers("C03", "C04", "F4-payload-guide", "F4-payload-reference"))
struct PayloadTooLargeTests {
    /// A campaign whose data weigh this many bytes: the key has 4.
    private static func campaign(_ audience: String, bytes: Int) -> LoadedFiles {
        let text = String(repeating: "x", count: bytes - 4)
        return LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: { data: { text: «\(text)» } }
                """
        )
    }

    @Test(arguments: [
        ("topic: tides", 2_048), ("condition: \"'tides' in topics\"", 2_048),
        ("registrations: [angler:1]", 4_000),
    ])
    func `a message may weigh as much as the limit and no more`(audience: String, limit: Int) {
        #expect(Self.campaign(audience, bytes: limit).findings == [])
        let files = Self.campaign(audience, bytes: limit + 1)
        #expect(files.findings == files.expected(.payloadTooLarge))
        #expect(
            files.diagnostics.first?.message.hasPrefix(
                "the message of `a` is 1 bytes too large for "
            ) == true
        )
    }

    @Test func `the platform that gets most counts, and the field that weighs most is marked`() {
        let long = String(repeating: "x", count: 1_500)
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  notification: { title: \(long) }
                  apns: { payload: { route: «\(long)y» } }
                """
        )
        #expect(files.findings == files.expected(.payloadTooLarge))
        #expect(files.diagnostics.first?.message.contains("for apple: 3011 of 2048") == true)
    }

    @Test(.covers("F4-what-counts")) func `letters count as their bytes`() {
        // 4 + 1,022 × 2 = 2,048
        let fitting = String(repeating: "é", count: 1_022)
        for (text, count) in [(fitting, 0), (fitting + "x", 1)] {
            let files = LoadedFiles(
                campaign: """
                    campaign: a
                    audience: { topic: tides }
                    message: { data: { text: \(text) } }
                    """
            )
            #expect(files.findings.count == count)
        }
    }
}
