import Crypto
import FoundationEssentials

/// An encrypted message for one registration.
///
/// HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM. The
/// bytes are the version, the key ID, the encapsulated key and the ciphertext with its tag.
package struct Envelope: Hashable, Sendable {
    package let bytes: [UInt8]
    /// What it belongs to.
    package let context: EnvelopeContext

    package static let version: UInt8 = 1
    /// The application-supplied information of HPKE, which separates the versions of envelopes.
    package static let info = "herald envelope 1"
    /// The number of bytes in addition to those of the clear text.
    package static let overhead = 1 + EnvelopeKey.idSize + encapsulatedKeySize + tagSize

    private static let encapsulatedKeySize = 32
    private static let tagSize = 16
    private static let suite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256,
        kdf: .HKDF_SHA256,
        aead: .AES_GCM_256
    )
    private static let infoBytes = Data(info.utf8)

    /// Encrypts a text under a fresh ephemeral key.
    ///
    /// Two envelopes of the same text for the same key therefore have nothing in common.
    ///
    /// - Throws: `.smallOrder` if the key makes every shared secret zero.
    package init(
        sealing clear: [UInt8],
        for key: EnvelopeKey,
        in context: EnvelopeContext
    ) throws(EnvelopeKey.Fault) {
        let id = key.id
        self.context = context
        do {
            var sender = try HPKE.Sender(
                recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: key.bytes),
                ciphersuite: Self.suite,
                info: Self.infoBytes
            )
            let sealed = try sender.seal(clear, authenticating: context.associatedData(keyID: id))
            bytes = [Self.version] + id + sender.encapsulatedKey + sealed
        } catch {
            throw .smallOrder
        }
    }

    /// Base64url without padding.
    package var text: String { Base64Text.encode(bytes) }

    /// The number of characters of the text of an envelope for a number of bytes of clear text.
    package static func length(of clear: Int) -> Int { Base64Text.length(of: overhead + clear) }
}
