import JSON
import JWTKit

/// A service account's key, from the file that the Google Cloud console writes.
///
/// It is a secret and does not print itself.
package struct ServiceAccountKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package let email: String
    /// The project of the account; nil if the file does not contain it.
    package let projectID: String?
    /// The address that exchanges assertions for tokens.
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

    /// Returns the same key with another token address.
    package func asking(at url: String) -> ServiceAccountKey {
        var key = self
        key.tokenURL = url
        return key
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
