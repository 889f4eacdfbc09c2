import CampaignModel
import RegistrationLists
import Testing

struct FingerprinterTests {
    /// By an implementation in Python, under a key made of the bytes 0 to 31.
    @Test(arguments: [
        ("angler:1", UInt64(0x722C_A6AA_8063_4D10), UInt64(0x1191_61D3_86DE_33B6)),
        (
            String(repeating: "a", count: 200), 0x9EC5_731D_380F_528B, 0xF31E_E27F_9251_6611
        ),
        (
            "duarte-galaxy:APA91b-tidewatch-0004", 0xF12B_252F_27E8_E839, 0xB579_C8AD_7B59_544C
        ),
    ])
    func `is the keyed hash of the registration`(token: String, high: UInt64, low: UInt64) throws {
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
