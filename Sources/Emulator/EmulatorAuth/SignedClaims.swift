import FoundationEssentials
import JWTKit

/// A parsed JWT, which must not be trusted before its signature is verified.
struct SignedClaims {
    let algorithm: String?
    let keyID: String?
    let claims: JWTClaims
    private let signature: Data
    /// The signed header and payload.
    private let input: Substring.UTF8View

    /// Returns nil if the text is not a JWT.
    init?(_ text: String) {
        guard let end = text.lastIndex(of: "."),
            let parsed = try? DefaultJWTParser().parse(Array(text.utf8), as: JWTClaims.self)
        else { return nil }
        algorithm = parsed.header.alg
        keyID = parsed.header.kid
        claims = parsed.payload
        signature = parsed.signature
        input = text[..<end].utf8
    }

    /// Returns whether one of the keys signed the token with RS256, the only algorithm that Google
    /// accepts.
    ///
    /// If the header names a key, only that key is tried.
    func isSigned(byOneOf keys: [SigningKey]) -> Bool {
        guard algorithm == "RS256" else { return false }
        let bytes = Array(input)
        return keys.contains { key in
            (keyID == nil || keyID == key.id) && key.verifies(signature, of: bytes)
        }
    }
}

/// The claims that token endpoints use; a claim of a wrong type counts as missing.
struct JWTClaims: JWTPayload {
    var issuer: String?
    var subject: String?
    var audiences: [String]
    var scope: String?
    /// Seconds since 1970.
    var issueTime: Int64?
    var expiry: Int64?

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audiences = "aud"
        case scope
        case issueTime = "iat"
        case expiry = "exp"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try? container.decode(String.self, forKey: .issuer)
        subject = try? container.decode(String.self, forKey: .subject)
        scope = try? container.decode(String.self, forKey: .scope)
        issueTime = container.seconds(.issueTime)
        expiry = container.seconds(.expiry)
        let audience = try? container.decode(String.self, forKey: .audiences)
        audiences =
            audience.map { [$0] }
            ?? (try? container.decode([String].self, forKey: .audiences)) ?? []
    }

    /// Does nothing, because `isTimely` compares the times with the emulator's clock and not with
    /// the system clock.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// Returns whether `now` is between the two times, with a tolerance of five minutes, and
    /// whether their difference is at most `longestLife`.
    func isTimely(at now: Int64, longestLife: Int64) -> Bool {
        guard let issueTime, let expiry else { return false }
        let skew: Int64 = 300
        let (life, isTooLong) = expiry.subtractingReportingOverflow(issueTime)
        guard !isTooLong, (1...longestLife).contains(life) else { return false }
        return issueTime <= now + skew && expiry > now - skew
    }
}

extension KeyedDecodingContainer {
    /// Returns a number of seconds, which Google also accepts as a string of digits.
    fileprivate func seconds(_ key: Key) -> Int64? {
        if let number = try? decode(Int64.self, forKey: key) { return number }
        if let number = try? decode(Double.self, forKey: key) {
            return Int64(exactly: number.rounded(.down))
        }
        return (try? decode(String.self, forKey: key)).flatMap { Int64($0) }
    }
}
