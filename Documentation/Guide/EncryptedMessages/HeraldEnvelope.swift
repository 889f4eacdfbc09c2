import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Opens messages that Herald encrypted for this installation of the app.
///
/// Requires iOS 17 or macOS 14, or the package swift-crypto.
enum HeraldEnvelope {
    enum Failure: Error {
        /// The message is not encrypted, or has an unknown version.
        case notAnEnvelope
        /// The message belongs to another project.
        case otherProject
        /// The message was encrypted for a key that this installation does not have (any more).
        case unknownKey
    }

    private static let info = Data("herald envelope 1".utf8)
    private static let suite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256,
        kdf: .HKDF_SHA256,
        aead: .AES_GCM_256
    )
    private static let headSize = 41

    /// Decrypts a message.
    ///
    /// - Parameters:
    ///   - data: The data of the message; in a notification service extension, `userInfo` of the
    ///     content.
    ///   - project: The name of the project in `herald.yaml`.
    ///   - keys: The present private key, and former ones until their messages have expired.
    /// - Returns: The content: `data` and, if the campaign has one, `notification`.
    /// - Throws: An error if the message was changed, or is for another installation. Show nothing then.
    static func open(
        _ data: [AnyHashable: Any],
        of project: String,
        with keys: [Curve25519.KeyAgreement.PrivateKey]
    ) throws -> [String: [String: String]] {
        guard let text = data["herald_envelope"] as? String,
            let context = data["herald_context"] as? String,
            let bytes = decoded(text), bytes.count > headSize, bytes.first == 1
        else { throw Failure.notAnEnvelope }
        guard context.hasPrefix(project + "/") else { throw Failure.otherProject }
        let id = bytes[1..<9]
        guard let key = keys.first(where: { self.id(of: $0.publicKey) == id }) else {
            throw Failure.unknownKey
        }
        var recipient = try HPKE.Recipient(
            privateKey: key,
            ciphersuite: suite,
            info: info,
            encapsulatedKey: bytes[9..<headSize]
        )
        let clear = try recipient.open(
            bytes[headSize...],
            authenticating: Data(context.utf8) + id
        )
        return try JSONDecoder().decode([String: [String: String]].self, from: clear)
    }

    /// The text of a public key for the column `public_key` of the list.
    static func text(of key: Curve25519.KeyAgreement.PublicKey) -> String {
        key.rawRepresentation.base64EncodedString()
    }

    private static func id(of key: Curve25519.KeyAgreement.PublicKey) -> Data {
        Data(SHA256.hash(data: key.rawRepresentation).prefix(8))
    }

    private static func decoded(_ text: String) -> Data? {
        let base64 = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        return Data(
            base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
        )
    }
}
