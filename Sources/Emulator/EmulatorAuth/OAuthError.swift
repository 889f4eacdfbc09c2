import JSON

/// An error of a token endpoint, `{"error": …, "error_description": …}` (RFC 6749, section 5.2), in
/// Google's wording if it is publicly known.
struct OAuthError: Error, Hashable, Sendable {
    var status = 400
    let code: String
    let description: String

    var answer: AuthAnswer {
        AuthAnswer(
            status: status,
            body: ["error": .string(code), "error_description": .string(description)]
        )
    }
}

extension OAuthError {
    /// A malformed request; Google reports no details.
    static let badRequest = OAuthError(code: "invalid_request", description: "Bad Request")
    static let badSignature = grant("Invalid JWT Signature.")
    static let unknownAccount = grant("Invalid grant: account not found")
    static let missingIssueTime = grant("Invalid JWT: iat (issued at) is not set.")
    static let missingExpiry = grant("Invalid JWT: exp (expiration time) is not set.")
    static let badTimes = grant(
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
            + "timeframe. Check your iat and exp values in the JWT claim."
    )
    static let badAudience = grant("Invalid JWT: Failed audience check.")
    static let badRefreshToken = grant("Bad Request")
    static let badScope = OAuthError(
        code: "invalid_scope",
        description: "Invalid OAuth scope or ID token audience provided."
    )
    static let unknownClient = OAuthError(
        status: 401,
        code: "invalid_client",
        description: "The OAuth client was not found."
    )
    static let wrongClientSecret = OAuthError(
        status: 401,
        code: "invalid_client",
        description: "Unauthorized"
    )
    static let unauthorizedClient = OAuthError(
        status: 401,
        code: "unauthorized_client",
        description: "Client is unauthorized to retrieve access tokens using this method, or "
            + "client not authorized for any of the scopes requested."
    )

    static func unsupportedGrant(_ type: String) -> OAuthError {
        OAuthError(code: "unsupported_grant_type", description: "Invalid grant_type: \(type)")
    }

    static func missing(_ parameter: String) -> OAuthError {
        OAuthError(
            code: "invalid_request",
            description: "Missing required parameter: \(parameter)"
        )
    }

    static func grant(_ description: String) -> OAuthError {
        OAuthError(code: "invalid_grant", description: description)
    }
}
