import FoundationEssentials
import JWTKit

/// The signed assertion that a service account exchanges for an access token (Google Identity,
/// Using OAuth 2.0 for server to server applications; RFC 7523).
struct SignedAssertion {
    private struct Claims: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64

        /// Does nothing: assertions are only created here, never read.
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    let text: String

    /// Creates an assertion for `audience`, the address that it is sent to.
    ///
    /// It is of no use at any other address, even if it leaks.
    ///
    /// - Throws: The library's error if the key cannot sign.
    init(
        by key: ServiceAccountKey,
        for scopes: [AccessScope],
        audience: String,
        at now: Date
    ) async throws {
        let issueTime = Int64(now.timeIntervalSince1970.rounded(.down))
        let claims = Claims(
            iss: key.email,
            scope: scopes.map(\.rawValue).joined(separator: " "),
            aud: audience,
            iat: issueTime,
            exp: issueTime + 3_600
        )
        let keyID = JWKIdentifier(string: key.keyID)
        let keys = await JWTKeyCollection().add(
            rsa: key.privateKey,
            digestAlgorithm: .sha256,
            kid: keyID
        )
        text = try await keys.sign(claims, kid: keyID)
    }
}
