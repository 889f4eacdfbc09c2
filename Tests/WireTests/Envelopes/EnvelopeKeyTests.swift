import Crypto
import Envelopes
import FoundationEssentials
import Testing

struct EnvelopeKeyTests {
    private static func fault(_ text: String) -> EnvelopeKey.Fault? {
        do throws(EnvelopeKey.Fault) {
            _ = try EnvelopeKey(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `reads 32 bytes and SubjectPublicKeyInfo, in both alphabets`() throws {
        for _ in 0..<100 {
            let raw = Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation
            let info = Data([0x30, 0x2A, 0x30, 5, 6, 3, 0x2B, 0x65, 0x6E, 3, 0x21, 0]) + raw
            for bytes in [raw, info] {
                let padded = bytes.base64EncodedString()
                for text in [padded, Base64Text.encode(Array(bytes))] {
                    #expect(try EnvelopeKey(parsing: text).bytes == Array(raw))
                }
            }
        }
    }

    @Test func `names the curve of another key`() {
        let agreement = P256.KeyAgreement.PrivateKey().publicKey
        let signing = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation
        let keys: [(Data, String)] = [
            (agreement.x963Representation, "P-256"), (agreement.derRepresentation, "P-256"),
            (agreement.compressedRepresentation, "P-256"),
            (P384.KeyAgreement.PrivateKey().publicKey.x963Representation, "P-384"),
            (P384.KeyAgreement.PrivateKey().publicKey.derRepresentation, "P-384"),
            (P521.KeyAgreement.PrivateKey().publicKey.x963Representation, "P-521"),
            (P521.KeyAgreement.PrivateKey().publicKey.derRepresentation, "P-521"),
            (Data([0x30, 0x2A, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 3, 0x21, 0]) + signing, "Ed25519"),
            (Data(repeating: 7, count: 56), "X448"), (Data(repeating: 7, count: 57), "Ed448"),
        ]
        for (key, curve) in keys {
            #expect(Self.fault(key.base64EncodedString()) == .curve(curve), "\(curve)")
        }
    }

    @Test(arguments: [0, 1, 31, 33, 44, 64])
    func `refuses keys of another length`(length: Int) {
        let text = Data(repeating: 9, count: length).base64EncodedString()
        #expect(Self.fault(text) == .length(length))
    }

    @Test(arguments: ["k", "a key", "%%%%", "AAA=A", String(repeating: "A", count: 42) + "B"])
    func `refuses what is not base64`(text: String) {
        #expect(Self.fault(text) == .notBase64)
    }

    /// The points with which every secret is zero, with and without the highest bit.
    @Test func `refuses each point of small order`() throws {
        let points = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
        let own = Curve25519.KeyAgreement.PrivateKey()
        for point in points {
            let digits = point.compactMap(\.hexDigitValue)
            var bytes = stride(from: 0, to: 64, by: 2).map {
                UInt8(digits[$0] << 4 | digits[$0 + 1])
            }
            for _ in 0..<2 {
                #expect(Self.fault(Base64Text.encode(bytes)) == .smallOrder)
                let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
                let secret = try own.sharedSecretFromKeyAgreement(with: key)
                #expect(secret.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
                bytes[31] |= 0x80
            }
        }
    }

    @Test func `accepts every random key`() throws {
        for _ in 0..<1_000 {
            let key = EnvelopeKey.random()
            #expect(try EnvelopeKey(parsing: Base64Text.encode(key.bytes)) == key)
        }
    }
}
