import Crypto
import Envelopes
import FoundationEssentials
import Testing

struct EnvelopeTests {
    private static let context = EnvelopeContext(
        project: "tidewatch",
        occurrence: "spring-tide/once/1"
    )
    private let device = Curve25519.KeyAgreement.PrivateKey()

    private func key() throws -> EnvelopeKey {
        try EnvelopeKey(parsing: Base64Text.encode(Array(device.publicKey.rawRepresentation)))
    }

    private func open(_ bytes: [UInt8], associated: [UInt8]) throws -> [UInt8] {
        var recipient = try HPKE.Recipient(
            privateKey: device,
            ciphersuite: RFC9180Vectors.suite,
            info: Data(Envelope.info.utf8),
            encapsulatedKey: Data(bytes[9..<41])
        )
        return Array(try recipient.open(Data(bytes[41...]), authenticating: associated))
    }

    @Test(arguments: [0, 1, 2, 3, 300, 2_900])
    func `the recipient reads the text and nothing else`(length: Int) throws {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let envelope = try Envelope(sealing: text, for: key(), in: Self.context)
        #expect(envelope.bytes.count == Envelope.overhead + length)
        #expect(envelope.text.utf8.count == Envelope.length(of: length))
        #expect(Base64Text.decode(envelope.text) == envelope.bytes)
        #expect(envelope.bytes[0] == 1)
        let id = Array(SHA256.hash(data: device.publicKey.rawRepresentation).prefix(8))
        #expect(Array(envelope.bytes[1..<9]) == id)
        let associated = Array("tidewatch/spring-tide/once/1".utf8) + id
        #expect(try open(envelope.bytes, associated: associated) == text)
    }

    @Test func `no changed byte opens, and no other context`() throws {
        let text = Array("the tide rises".utf8)
        let envelope = try Envelope(sealing: text, for: key(), in: Self.context)
        let id = Array(envelope.bytes[1..<9])
        let associated = Array(Self.context.text.utf8) + id
        for place in envelope.bytes.indices.dropFirst(9) {
            var changed = envelope.bytes
            changed[place] ^= 1
            #expect(throws: (any Error).self) { try open(changed, associated: associated) }
        }
        for other in ["tidewatch/spring-tide/once/2", "tidewatch/other/once/1", ""] {
            let wrong = Array(other.utf8) + id
            #expect(throws: (any Error).self) { try open(envelope.bytes, associated: wrong) }
        }
    }

    @Test func `two envelopes of a text have different keys`() throws {
        let text = Array("the tide rises".utf8)
        let first = try Envelope(sealing: text, for: key(), in: Self.context)
        let second = try Envelope(sealing: text, for: key(), in: Self.context)
        #expect(first.bytes[..<9] == second.bytes[..<9])
        #expect(first.bytes[9..<41] != second.bytes[9..<41])
        #expect(first.bytes[41...] != second.bytes[41...])
    }

    @Test func `about 2,900 bytes fit into the payload of a message`() {
        let names = EnvelopeFields.envelope.utf8.count + EnvelopeFields.context.utf8.count
        let rest = names + Self.context.text.utf8.count
        #expect(rest + Envelope.length(of: 2_890) <= 4_000)
        #expect(rest + Envelope.length(of: 2_960) > 4_000)
    }
}

/// The vectors of the suite from RFC 9180's test vectors: base mode, DHKEM(X25519, HKDF-SHA256),
/// HKDF-SHA256 and AES-256-GCM.
struct RFC9180Vectors {
    static let suite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256,
        kdf: .HKDF_SHA256,
        aead: .AES_GCM_256
    )
    private static let clear = "4265617574792069732074727574682c20747275746820626561757479"
    /// The associated data and the ciphertext of the first messages.
    private static let messages = [
        (
            "436f756e742d30",
            "e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a"
        ),
        (
            "436f756e742d31",
            "2c43aff25343fdbff864506f0818b9d87df84ea01b1a2144d23b4d40c26bf655fdf197fe40297a8aebeed5cc2d"
        ),
        (
            "436f756e742d32",
            "e0a8f2cf92ff61215edbb8c55dc31fe9e2eb42a5685867bb6854211542099f9e940c4b41c192bc390835b1a5f7"
        ),
    ]

    @Test func `the vectors of the suite open`() throws {
        let key = "497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d"
        let encapsulated = "6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256"
        var recipient = try HPKE.Recipient(
            privateKey: Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes(key)),
            ciphersuite: Self.suite,
            info: Data(bytes("4f6465206f6e2061204772656369616e2055726e")),
            encapsulatedKey: Data(bytes(encapsulated))
        )
        for (associated, sealed) in Self.messages {
            let text = try recipient.open(bytes(sealed), authenticating: bytes(associated))
            #expect(Array(text) == bytes(Self.clear))
        }
    }
}

/// The bytes of hexadecimal digits.
private func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
