/// A person who logged in with `gcloud auth application-default login`.
///
/// It is a secret; see `Credential`.
package struct AuthorizedUser: Sendable {
    let clientID: String
    let clientSecret: String
    let refreshToken: String
    /// The project whose quota a person's requests use.
    let quotaProject: String?
    let tokenURL: String

    init(_ fields: CredentialFields) throws(CredentialError) {
        clientID = try fields.required("client_id")
        clientSecret = try fields.required("client_secret")
        refreshToken = try fields.required("refresh_token")
        quotaProject = fields.text("quota_project_id")
        tokenURL = try fields.optionalAddress("token_uri") ?? Self.usualTokenURL
    }

    /// The token URL, which is missing in gcloud's file (Google Identity, Using OAuth 2.0).
    private static let usualTokenURL = "https://oauth2.googleapis.com/token"
}
