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

    /// Linear work takes less than a second, quadratic work many minutes.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (begin + "\n", 80_000, [.privateKey]), ("-----BEGIN ", 200_000, []),
            ("ya29.", 400_000, [.accessToken]), (":APA91b", 400_000, [.registration]),
            ("private_key: ", 200_000, []), ("http://a:b", 200_000, []),
        ] as [(String, Int, Set<SecretText>)]
    )
    func `many beginnings without an end take linear time`(
        beginning: String,
        count: Int,
        kinds: Set<SecretText>
    ) {
        let text = String(repeating: beginning, count: count)
        #expect(SecretText.kinds(in: text) == kinds)
    }
}
