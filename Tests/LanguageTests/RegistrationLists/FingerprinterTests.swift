import CampaignModel
import RegistrationLists
import Testing

struct FingerprinterTests {
    /// HMAC-SHA-256 under the bytes 0 to 31, by Python's `hmac`.
    @Test(arguments: [
        ("angler:1", UInt64(0xD72A_56B2_6815_B725), UInt64(0x21D0_4E1E_8151_FB5C)),
        (
            String(repeating: "a", count: 200), 0x7003_4FAE_BEA6_99A3, 0xB6A7_8EC3_72B9_7A83
        ),
        (
            "duarte-galaxy:APA91b-tidewatch-0004", 0x2778_5365_3AAB_4F31, 0x9566_91BC_29F6_7172
        ),
    ])
    func `is the keyed hash cut to 16 bytes`(token: String, high: UInt64, low: UInt64) throws {
        let fingerprinter = Fingerprinter(key: FingerprintKey(bytes: Array(0..<32)))
        let registration = try #require(Registration(token))
        #expect(fingerprinter.fingerprint(of: registration) == Fingerprint(high: high, low: low))
    }

    @Test func `another key creates another fingerprint`() throws {
        let registration = try #require(Registration("angler:1"))
        let prints = (0..<3).map { byte in
            Fingerprinter(key: FingerprintKey(bytes: [UInt8](repeating: byte, count: 32)))
                .fingerprint(of: registration)
        }
        #expect(Set(prints).count == 3)
    }
}
