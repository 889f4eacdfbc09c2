import FoundationEssentials
import JSON
import JWTKit

/// Verifies the tokens with which Firebase Authentication identifies the user of an app.
///
/// The rules are those of Firebase documentation, Verify ID tokens: RS256 with a key of Google, the
/// project as audience and in the issuer, a user, and times of issue and expiry around now.
package struct IdentityTokens: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        case notAToken
        /// None of the given keys signed it.
        case unknownKey
        case wrongSignature
        case expired
        /// It is valid only from a later time on.
        case notYetValid
        /// For another project, or without a user.
        case wrongProject
    }

    package enum KeyFailure: Error, Hashable, Sendable {
        /// The text is neither a JSON Web Key Set nor an object of certificates.
        case wrongForm
        case unusableKey(id: String)
        case noKey
    }

    private let project: String
    private let keys: JWTKeyCollection
    private let names: Set<String>

    /// How far the clocks of Google and this machine may differ, in seconds.
    private static let tolerance: Int64 = 60

    /// Reads the public keys, in one of the forms in which Google publishes them: a JSON Web Key Set, or an object with
    /// a certificate in PEM for each key ID.
    package init(
        keys text: [UInt8],
        project: String
    ) async throws(KeyFailure) {
        guard let object = JSONValue(parsing: text)?.objectValue else { throw .wrongForm }
        let set = object["keys"]
        let found = if let set { try Self.keySet(set) } else { try Self.certificates(object) }
        guard !found.isEmpty else { throw .noKey }
        self.project = project
        names = Set(found.keys)
        keys = JWTKeyCollection()
        for (id, key) in found {
            await keys.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: id))
        }
    }

    private static func keySet(
        _ value: JSONValue
    ) throws(KeyFailure) -> [String: Insecure.RSA.PublicKey] {
        guard let list = value.arrayValue else { throw .wrongForm }
        var keys: [String: Insecure.RSA.PublicKey] = [:]
        for item in list {
            guard let id = item.objectValue?["kid"]?.stringValue else { throw .wrongForm }
            guard let modulus = item.objectValue?["n"]?.stringValue,
                let exponent = item.objectValue?["e"]?.stringValue,
                let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            else { throw .unusableKey(id: id) }
            keys[id] = key
        }
        return keys
    }

    private static func certificates(
        _ object: JSONObject
    ) throws(KeyFailure) -> [String: Insecure.RSA.PublicKey] {
        var keys: [String: Insecure.RSA.PublicKey] = [:]
        for member in object.members {
            guard let pem = member.value.stringValue else { throw .wrongForm }
            guard let key = try? Insecure.RSA.PublicKey(certificatePEM: pem) else {
                throw .unusableKey(id: member.key)
            }
            keys[member.key] = key
        }
        return keys
    }

    /// Checks a token, and returns its user.
    ///
    /// `seconds`: the Unix time.
    package func user(of token: String, at seconds: Int64) async throws(Failure) -> String {
        let parsed = try? DefaultJWTParser().parse(Array(token.utf8), as: Claims.self)
        guard let header = parsed?.header, header.alg == "RS256" else { throw .notAToken }
        guard let id = header.kid, names.contains(id) else { throw .unknownKey }
        guard let claims = try? await keys.verify(token, as: Claims.self) else {
            throw .wrongSignature
        }
        guard claims.exp > seconds - Self.tolerance else { throw .expired }
        guard claims.iat < seconds + Self.tolerance,
            claims.authTime ?? 0 < seconds + Self.tolerance
        else { throw .notYetValid }
        guard claims.aud == project, claims.iss == "https://securetoken.google.com/\(project)",
            (1...128).contains(claims.sub.utf8.count)
        else { throw .wrongProject }
        return claims.sub
    }

    private struct Claims: JWTPayload {
        let iss: String
        let aud: String
        let sub: String
        let iat: Int64
        let exp: Int64
        let authTime: Int64?

        private enum CodingKeys: String, CodingKey {
            case iss, aud, sub, iat, exp
            case authTime = "auth_time"
        }

        /// Does nothing: the claims are compared with a time that the caller passes in.
        func verify(using algorithm: some JWTAlgorithm) {}
    }
}

extension IdentityTokens.Failure {
    /// A stable word for answers and metrics.
    package var name: String {
        switch self {
        case .notAToken: "not_a_token"
        case .unknownKey: "unknown_key"
        case .wrongSignature: "wrong_token_signature"
        case .expired: "expired_token"
        case .notYetValid: "token_not_yet_valid"
        case .wrongProject: "wrong_project"
        }
    }
}
