import Crypto
import FoundationEssentials
import JSON
import PhoneKeys
import Testing

struct OpenedMessageTests {
    private static let context = "tidewatch/spring-tide/once/1"
    private let key = PhoneKey()

    /// Returns the bytes of an envelope, made with swift-crypto's HPKE.
    private func envelope(_ text: String, for key: PhoneKey? = nil) throws -> [UInt8] {
        let raw = try #require(
            Data(base64Encoded: Self.padded((key ?? self.key).publicText))
        )
        let id = Data(SHA256.hash(data: raw).prefix(8))
        var sender = try HPKE.Sender(
            recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: raw),
            ciphersuite: HPKE.Ciphersuite(
                kem: .Curve25519_HKDF_SHA256,
                kdf: .HKDF_SHA256,
                aead: .AES_GCM_256
            ),
            info: Data("herald envelope 1".utf8)
        )
        let sealed = try sender.seal(
            Data(text.utf8),
            authenticating: Data(Self.context.utf8) + id
        )
        return [1] + id + sender.encapsulatedKey + sealed
    }

    private static func padded(_ text: String) -> String {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    }

    private func opened(_ bytes: [UInt8], context: String = Self.context) -> String? {
        switch OpenedMessage(
            envelope: Data(bytes).base64EncodedString(),
            context: context,
            keys: [PhoneKey(), key]
        ) {
        case .clear(let object)?: object.members.map(\.key).joined(separator: " ")
        case .refused(let reason)?: "refused: \(reason.rawValue)"
        case nil: nil
        }
    }

    @Test func `shows the content that was encrypted for one of its keys`() throws {
        #expect(opened(try envelope(#"{"data":{"a":"1"}}"#)) == "data")
        if OpenedMessage(envelope: nil, context: nil, keys: [key]) != nil {
            Issue.record("a message without an envelope has a content")
        }
    }

    @Test func `shows nothing of an envelope that was changed in any byte`() throws {
        let sealed = try envelope(#"{"data":{}}"#)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 0x10
            #expect(opened(changed)?.hasPrefix("refused: ") == true, "\(place)")
        }
        #expect(opened(sealed, context: "tidewatch/other/once/1") == "refused: tampered")
        for length in [0, 1, 40, 41, 56] {
            #expect(opened(Array(sealed.prefix(length)))?.hasPrefix("refused: ") == true)
        }
    }

    @Test func `names the reason`() throws {
        let sealed = try envelope(#"{"data":{}}"#)
        #expect(opened([2] + sealed.dropFirst()) == "refused: malformed")
        #expect(opened(try envelope("{}", for: PhoneKey())) == "refused: unknown_key")
        #expect(opened(try envelope("[1]")) == "refused: unreadable")
    }

    @Test func `a private key survives its text`() throws {
        #expect(try #require(PhoneKey(key.privateText)).publicText == key.publicText)
        #expect(PhoneKey("short") == nil)
    }
}
