import JSON
import JWTKit

/// The key of a service account, from the file that Google Cloud's console writes.
///
/// A secret: it does not print itself.
package struct ServiceAccountKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package let email: String
    /// The project that the account belongs to; nil where the file does not say.
    package let projectID: String?
    /// Where assertions are exchanged for tokens.
    package private(set) var tokenURL: String
    let keyID: String
    let privateKey: Insecure.RSA.PrivateKey

    /// Reads the contents of the file.
    package init(json: [UInt8]) throws(CredentialError) {
        guard case .serviceAccount(let key) = try Credential(json: json) else {
            throw .unknownType(JSONValue(parsing: json)?["type"]?.stringValue)
        }
        self = key
    }

    init(_ fields: CredentialFields) throws(CredentialError) {
        email = try fields.required("client_email")
        guard email.contains("@") else { throw .malformed(field: "client_email") }
        keyID = try fields.required("private_key_id")
        tokenURL = try fields.address("token_uri")
        projectID = fields.text("project_id")
        let pem = try fields.required("private_key")
        guard let key = try? Insecure.RSA.PrivateKey(pem: pem) else {
            throw .malformed(field: "private_key")
        }
        privateKey = key
    }

    /// The same key, for which tokens are asked for at another address.
    package func asking(at url: String) -> ServiceAccountKey {
        var key = self
        key.tokenURL = url
        return key
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
