import Crypto
import FoundationEssentials
package import JSON

/// What the app on a phone does with the data of a message.
package enum OpenedMessage: Sendable {
    /// The decrypted content, which the app shows.
    case clear(JSONObject)
    /// The app shows no part of the envelope.
    case refused(Reason)

    package enum Reason: String, Hashable, CaseIterable, Sendable {
        /// It is not an envelope of a known version.
        case malformed
        /// The phone does not have the key.
        case unknownKey = "unknown_key"
        /// The envelope or its context was changed.
        case tampered
        /// The decrypted content is not a JSON object.
        case unreadable
    }

    private static let suite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256,
        kdf: .HKDF_SHA256,
        aead: .AES_GCM_256
    )
    private static let version: UInt8 = 1
    private static let headSize = 1 + 8 + 32

    /// Opens the envelope of a message; nil if it has none.
    ///
    /// - Parameters:
    ///   - envelope: The value of `herald_envelope`; nil if there is none.
    ///   - context: The value of `herald_context`.
    ///   - keys: Those of the phone.
    package init?(envelope: String?, context: String?, keys: [PhoneKey]) {
        guard let envelope else { return nil }
        guard let bytes = Data(base64URL: envelope).map(Array.init), bytes.count > Self.headSize,
            bytes[0] == Self.version
        else {
            self = .refused(.malformed)
            return
        }
        let id = Data(bytes[1..<9])
        guard let key = keys.first(where: { $0.id == id }) else {
            self = .refused(.unknownKey)
            return
        }
        let associated = Data((context ?? "").utf8) + id
        do {
            var recipient = try HPKE.Recipient(
                privateKey: key.privateKey,
                ciphersuite: Self.suite,
                info: Data("herald envelope 1".utf8),
                encapsulatedKey: Data(bytes[9..<Self.headSize])
            )
            let clear = try recipient.open(bytes[Self.headSize...], authenticating: associated)
            let content = JSONValue(parsing: Array(clear))?.objectValue
            self = content.map { .clear($0) } ?? .refused(.unreadable)
        } catch {
            self = .refused(.tampered)
        }
    }
}
