import CampaignModel
import TestSupport
import Testing

struct RegistrationTests {
    @Test(arguments: ["a", "duarte:APA91b-x_Y", "!#$%&()*+-./:<=>?@[]^_`{|}~"])
    func `accepts printable ASCII except quotation marks and commas`(text: String) {
        #expect(Registration(text)?.token == text)
    }

    @Test(arguments: ["", " ", "a b", "a\tb", "a\"b", "a,b", "a;b", "a\\b", "a\nb", "é", "\u{7F}"])
    func `refuses other texts`(text: String) {
        #expect(Registration(text) == nil)
    }

    @Test func `accepts at most 4,096 characters`() {
        #expect(Registration(String(repeating: "r", count: 4_096)) != nil)
        #expect(Registration(String(repeating: "r", count: 4_097)) == nil)
    }

    @Test(.covers("C86")) func `never prints its token`() throws {
        let registration = try #require(Registration("duarte:SECRET"))
        var dumped = ""
        dump(registration, to: &dumped)
        dump([registration], to: &dumped)
        dump(AudienceTarget.registrations(.inline([registration])), to: &dumped)
        let printed = [
            String(describing: registration), String(reflecting: registration),
            "\(registration)", "\([registration])", "\(Optional(registration) as Any)",
            String(describing: RegistrationList.inline([registration])),
            String(reflecting: ["r": registration]), dumped,
        ]
        for text in printed {
            #expect(!text.contains("SECRET") && !text.contains("duarte"))
            #expect(text.contains("redacted") || text == dumped)
        }
        #expect(Mirror(reflecting: registration).children.isEmpty)
    }

    @Test func `a fingerprint prints its first eight bytes as sixteen digits`() {
        #expect(Fingerprint(high: 0x0012_ABCD_0000_0001, low: 5).description == "0012abcd00000001")
        #expect(Fingerprint(high: .max, low: 0).description == "ffffffffffffffff")
        #expect(Fingerprint(high: 0, low: 0).description == "0000000000000000")
    }

    @Test func `fingerprints sort by both halves`() {
        let one = Fingerprint(high: 1, low: .max)
        let two = Fingerprint(high: 2, low: 0)
        #expect(one < two && !(two < one))
        #expect(Fingerprint(high: 1, low: 1) < one)
    }

    @Test func `a fingerprint key never prints its bytes`() {
        let key = FingerprintKey(bytes: [UInt8](repeating: 0xAB, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\([key])", dumped] {
            #expect(!text.contains("171") && !text.lowercased().contains("ab, "), "\(text)")
        }
    }
}
