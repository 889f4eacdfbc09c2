import FoundationEssentials
import JWTKit

/// What a service account signs to get an access token (Google Identity, Using OAuth 2.0 for
/// server to server applications; RFC 7523).
struct SignedAssertion {
    private struct Claims: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int64
        let exp: Int64

        /// It is made here, never read.
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    let text: String

    /// Made for `audience`, the address that it is sent to, so that nobody who gets hold of it can
    /// use it elsewhere.
    ///
    /// - Throws: what the library throws where the key can't sign.
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
