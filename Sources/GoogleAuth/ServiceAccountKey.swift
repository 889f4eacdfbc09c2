import FoundationEssentials
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
    package let tokenURL: String
    let keyID: String
    let privateKey: Insecure.RSA.PrivateKey

    /// Reads the contents of the file.
    package init(json: [UInt8]) throws(ServiceAccountKeyError) {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(json)) else {
            throw .notJSON
        }
        guard file.type == "service_account" else { throw .wrongType(file.type) }
        email = try Self.required(file.clientEmail, "client_email")
        guard email.contains("@") else { throw .malformed(field: "client_email") }
        keyID = try Self.required(file.privateKeyID, "private_key_id")
        tokenURL = try Self.required(file.tokenURL, "token_uri")
        guard TokenURL.isSafe(tokenURL) else { throw .malformed(field: "token_uri") }
        projectID = file.projectID
        let pem = try Self.required(file.privateKey, "private_key")
        guard let key = try? Insecure.RSA.PrivateKey(pem: pem) else {
            throw .malformed(field: "private_key")
        }
        privateKey = key
    }

    private static func required(
        _ value: String?,
        _ field: String
    ) throws(ServiceAccountKeyError) -> String {
        guard let value, !value.isEmpty else { throw .missing(field: field) }
        return value
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Where a secret may be sent: to an `https:` address, or to this machine.
package enum TokenURL {
    package static func isSafe(_ text: String) -> Bool {
        if text.hasPrefix("https://") { return text.utf8.count > 8 }
        guard text.hasPrefix("http://") else { return false }
        let authority = text.dropFirst(7).prefix { $0 != "/" }
        return ["127.0.0.1", "localhost", "[::1]"].contains { host in
            authority == host || authority.hasPrefix(host + ":")
        } && !authority.contains("@")
    }
}

/// The members that are read; one that is no string counts as missing.
private struct File: Decodable {
    var type: String?
    var projectID: String?
    var privateKeyID: String?
    var privateKey: String?
    var clientEmail: String?
    var tokenURL: String?

    private enum CodingKeys: String, CodingKey {
        case type
        case projectID = "project_id"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case clientEmail = "client_email"
        case tokenURL = "token_uri"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try? container.decode(String.self, forKey: .type)
        projectID = try? container.decode(String.self, forKey: .projectID)
        privateKeyID = try? container.decode(String.self, forKey: .privateKeyID)
        privateKey = try? container.decode(String.self, forKey: .privateKey)
        clientEmail = try? container.decode(String.self, forKey: .clientEmail)
        tokenURL = try? container.decode(String.self, forKey: .tokenURL)
    }
}

/// Why a file is no usable key; it repeats nothing of a secret.
package enum ServiceAccountKeyError: Error, Hashable, Sendable {
    case notJSON
    /// Another kind of credential, where the file says which.
    case wrongType(String?)
    case missing(field: String)
    case malformed(field: String)

    package var explanation: String {
        switch self {
        case .notJSON: "it is not a JSON object"
        case .wrongType(let type?): "its type is \(type), not service_account"
        case .wrongType(nil): "it has no type, which should be service_account"
        case .missing(let field): "\(field) is missing"
        case .malformed("private_key"): "private_key is no RSA key of 2048 bits or more in PEM"
        case .malformed("token_uri"): "token_uri is no https:// address"
        case .malformed(let field): "\(field) is malformed"
        }
    }

    package var advice: String {
        switch self {
        case .wrongType: "use the key of a service account"
        case .notJSON, .missing, .malformed:
            "use the file as Google Cloud's console made it, or make a new key"
        }
    }
}
