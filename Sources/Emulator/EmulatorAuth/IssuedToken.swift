import Crypto
package import JSON

/// A stored access token.
///
/// Only its digest is stored, so neither the log nor the memory contains a usable token.
package struct IssuedToken: Hashable, Sendable {
    package let digest: SecretDigest
    /// An email address, a client ID, or a federated principal.
    let account: String
    let scopes: [String]
    package let expiry: TokenTime

    func allows(_ needed: [String]) -> Bool {
        scopes.contains(where: needed.contains)
    }

    package var json: JSONValue {
        [
            "access_token": .string(digest.text), "account": .string(account),
            "scopes": .array(scopes.map { .string($0) }),
            "expires_at": .string(expiry.rfc3339),
        ]
    }

    package init(digest: SecretDigest, account: String, scopes: [String], expiry: TokenTime) {
        self.digest = digest
        self.account = account
        self.scopes = scopes
        self.expiry = expiry
    }

    /// Parses the format that `json` produces.
    init?(_ json: JSONValue?) {
        guard let digest = json?["access_token"]?.stringValue.flatMap(SecretDigest.init(text:)),
            let account = json?["account"]?.stringValue,
            let scopes = json?["scopes"]?.arrayValue,
            let expiry = json?["expires_at"]?.stringValue.flatMap({ TokenTime(rfc3339: $0) })
        else { return nil }
        self.init(
            digest: digest,
            account: account,
            scopes: scopes.compactMap(\.stringValue),
            expiry: expiry
        )
    }
}

/// The digest of a secret, which is sufficient to recognize it.
package struct SecretDigest: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(of secret: some StringProtocol) {
        bytes = Array(secret.utf8).sha256
    }

    /// Parses the format that `text` produces.
    init?(text: String) {
        guard text.hasPrefix("sha256:"), text.utf8.count == 71 else { return nil }
        let digits = Array(text.utf8.dropFirst(7))
        bytes = stride(from: 0, to: 64, by: 2).compactMap { start in
            UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
        }
        guard bytes.count == 32 else { return nil }
    }

    /// `sha256:` and 64 hexadecimal digits.
    package var text: String { "sha256:" + bytes.map(\.twoHexadecimalDigits).joined() }
}

extension [UInt8] {
    /// The SHA-256 of the bytes.
    package var sha256: [UInt8] { Array(SHA256.hash(data: self)) }
}

/// Generates secrets in Google's formats.
enum FreshSecret {
    static func accessToken() -> String { "ya29.herald." + hexadecimal(bytes: 32) }
    static func keyID() -> String { hexadecimal(bytes: 20) }

    private static func hexadecimal(bytes count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            .map(\.twoHexadecimalDigits).joined()
    }
}

extension UInt8 {
    fileprivate var twoHexadecimalDigits: String {
        (self < 16 ? "0" : "") + String(self, radix: 16)
    }
}
