import JSON
import Text

/// An identity from an external issuer, used with workload identity federation (Google Cloud
/// documentation, Workload Identity Federation; RFC 8693).
package struct ExternalAccount: Sendable {
    let audience: String
    let subjectTokenType: String
    let tokenURL: String
    let source: IdentitySource
    /// The service account that the federated identity impersonates.
    let impersonation: Impersonation?

    init(_ fields: CredentialFields) throws(CredentialError) {
        if fields.has("workforce_pool_user_project") { throw .unsupported(.workforce) }
        if fields.has("client_id") || fields.has("client_secret") {
            throw .unsupported(.clientSecret)
        }
        audience = try fields.required("audience")
        subjectTokenType = try fields.required("subject_token_type")
        tokenURL = try fields.address("token_url")
        source = try IdentitySource(try fields.mapping("credential_source"))
        impersonation =
            fields.has("service_account_impersonation_url") ? try Impersonation(fields) : nil
    }
}

/// The source of an external issuer's token, which is read for each exchange.
struct IdentitySource: Sendable {
    enum Place: Sendable {
        case file(path: String)
        case url(String, headers: [(name: String, value: String)])
    }

    let place: Place
    /// The member of a JSON object that contains the token; nil if the whole text is the token.
    let field: String?

    init(_ fields: CredentialFields) throws(CredentialError) {
        if fields.has("executable") { throw .unsupported(.executable) }
        if fields.has("environment_id") { throw .unsupported(.amazon) }
        if fields.has("certificate") { throw .unsupported(.certificate) }
        if let path = fields.text("file") {
            place = .file(path: path)
        } else {
            let url = try fields.required("url")
            guard Self.isAllowed(url) else { throw .malformed(field: "credential_source.url") }
            place = .url(url, headers: try Self.headers(fields))
        }
        field = try Self.field(fields)
    }

    private static func headers(
        _ fields: CredentialFields
    ) throws(CredentialError) -> [(name: String, value: String)] {
        guard fields.has("headers") else { return [] }
        guard let members = fields["headers"]?.objectValue?.members else {
            throw .malformed(field: "credential_source.headers")
        }
        let headers = members.compactMap { member in
            member.value.stringValue.flatMap { value in
                (member.key + value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                    ? (name: member.key, value: value) : nil
            }
        }
        guard headers.count == members.count else {
            throw .malformed(field: "credential_source.headers")
        }
        return headers
    }

    private static func field(_ fields: CredentialFields) throws(CredentialError) -> String? {
        guard fields.has("format") else { return nil }
        let format = try fields.mapping("format")
        switch format.text("type") ?? "text" {
        case "text": return nil
        case "json": return try format.required("subject_token_field_name")
        default: throw .malformed(field: "credential_source.format.type")
        }
    }

    /// Allows the address at which a virtual machine queries its host, in addition to safe
    /// addresses.
    private static func isAllowed(_ url: String) -> Bool {
        TokenURL.isSafe(url) || ServerAddress(of: url)?.host == "169.254.169.254"
    }
}
