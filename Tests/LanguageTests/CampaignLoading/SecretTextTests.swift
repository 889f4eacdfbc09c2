import CampaignLoading
import Diagnostics
import Testing

struct SecretTextTests {
    private static let begin = "-----BEGIN " + "PRIVATE KEY-----"
    private static let end = "-----END " + "PRIVATE KEY-----"

    /// The text as users see it.
    private static func shown(_ text: String) -> String {
        let loaded = LoadedFiles(campaign: text).loaded
        return String(decoding: loaded.catalog[SourceID(index: 1)].bytes, as: UTF8.self)
    }

    @Test func `a block is concealed to its end or else to the end of its line`() {
        let stars = String(repeating: "*", count: Self.begin.utf8.count)
        let ended = "# \(Self.begin)abc\(Self.end) after\n"
        let open = "# \(Self.begin)abc\n# more\n# \(Self.begin)\n"
        let endStars = String(repeating: "*", count: Self.end.utf8.count)
        #expect(
            Self.shown(ended + open)
                == "# \(stars)***\(endStars) after\n# \(stars)***\n# more\n# \(stars)\n"
        )
    }

    /// Linear work takes some hundredths of a second, quadratic work more than ten.
    @Test(arguments: [
        (begin + "\n", 8_000), ("-----BEGIN ", 20_000), ("ya29.", 40_000), (":APA91b", 40_000),
        ("private_key: ", 20_000), ("http://a:b", 20_000),
    ])
    func `many beginnings without an end take linear time`(
        beginning: String,
        count: Int
    ) {
        let text = String(repeating: beginning, count: count)
        let time = ContinuousClock().measure { _ = SecretText.kinds(in: text) }
        #expect(time < .seconds(5))
    }
}
