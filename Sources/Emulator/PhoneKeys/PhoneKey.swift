import Crypto
import FoundationEssentials

/// A key pair with which the app on a virtual phone decrypts messages: X25519 (RFC 7748).
package struct PhoneKey: Sendable {
    let privateKey: Curve25519.KeyAgreement.PrivateKey

    /// Creates a new key.
    package init() {
        privateKey = Curve25519.KeyAgreement.PrivateKey()
    }

    /// Reads the 32 bytes of a private key.
    ///
    /// - Parameter text: Base64url or base64.
    package init?(_ text: String) {
        guard let bytes = Data(base64URL: text), bytes.count == 32,
            let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        privateKey = key
    }

    /// The private key in base64url.
    package var privateText: String { privateKey.rawRepresentation.base64URL }

    /// The public key in base64url, as a list contains it.
    package var publicText: String { privateKey.publicKey.rawRepresentation.base64URL }

    /// The first 8 bytes of the SHA-256 of the public key.
    var id: Data { Data(SHA256.hash(data: privateKey.publicKey.rawRepresentation).prefix(8)) }
}

extension Data {
    /// Reads base64url or base64, with or without padding.
    init?(base64URL text: String) {
        var text = text.replacing("-", with: "+").replacing("_", with: "/")
        while text.hasSuffix("=") { text.removeLast() }
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: text)
    }

    /// Base64url without padding.
    var base64URL: String {
        var text = base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }
}
