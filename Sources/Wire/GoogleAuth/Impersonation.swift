import JSON

/// A service account that another credential impersonates (IAM Service Account Credentials API
/// reference, generateAccessToken).
package struct Impersonation: Sendable {
    let url: String
    /// The accounts between the two, as resource names.
    let delegates: [String]
    /// Seconds from issue to expiry.
    let lifetime: Int64

    init(_ fields: CredentialFields) throws(CredentialError) {
        url = try fields.address("service_account_impersonation_url")
        let names = fields["delegates"]?.arrayValue ?? []
        delegates = names.compactMap(\.stringValue).map(Self.resourceName)
        guard delegates.count == names.count else { throw .malformed(field: "delegates") }
        let written = fields["service_account_impersonation"]?["token_lifetime_seconds"]
        lifetime = written?.integerValue ?? 3_600
        guard (1...43_200).contains(lifetime) else {
            throw .malformed(field: "service_account_impersonation.token_lifetime_seconds")
        }
    }

    private static func resourceName(_ name: String) -> String {
        name.contains("/") ? name : "projects/-/serviceAccounts/" + name
    }
}
