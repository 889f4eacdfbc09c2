import Crypto
import CryptoExtras
import FoundationEssentials
import JSON

/// An RSA public key and its ID in the header of a JWT.
package struct SigningKey: Sendable {
    package let id: String
    /// SubjectPublicKeyInfo in PEM.
    let pem: String
    private let key: _RSA.Signing.PublicKey

    init(id: String, key: _RSA.Signing.PublicKey) {
        self.id = id
        self.key = key
        pem = key.pemRepresentation
    }

    /// Returns nil if the text is not a public key of at least 2,048 bits in PEM.
    init?(id: String, publicPEM: String) {
        guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: publicPEM) else {
            return nil
        }
        self.init(id: id, key: key)
    }

    /// Returns nil if the text is not a private key of at least 2,048 bits in PEM.
    init?(id: String, privatePEM: String) {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: privatePEM) else {
            return nil
        }
        self.init(id: id, key: key.publicKey)
    }

    /// Parses a member of a JSON Web Key Set (RFC 7517).
    init?(jwk: JSONValue) {
        guard jwk["kty"] == "RSA", let id = jwk["kid"]?.stringValue,
            let modulus = jwk["n"]?.stringValue?.base64URLDecoded,
            let exponent = jwk["e"]?.stringValue?.base64URLDecoded, modulus.count >= 256,
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { return nil }
        self.init(id: id, key: key)
    }

    /// Verifies an RS256 signature (RFC 7518, section 3.3).
    func verifies(_ signature: Data, of input: some DataProtocol) -> Bool {
        key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: input),
            padding: .insecurePKCS1v1_5
        )
    }
}

/// A generated key pair with 2,048 bits, like Google's.
package struct FreshKey {
    package let publicKey: SigningKey
    /// PKCS #8 in PEM.
    package let privatePEM: String

    package init() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        publicKey = SigningKey(id: FreshSecret.keyID(), key: key.publicKey)
        privatePEM = key.pkcs8PEMRepresentation
    }
}

extension String {
    fileprivate var base64URLDecoded: Data? {
        let text = String(map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding)
    }
}
