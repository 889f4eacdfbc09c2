import JSON

/// A method that requires an access token, with the names from Google's refusals.
package struct ProtectedMethod: Hashable, Sendable {
    let service: String
    let name: String?
    /// The accepted scopes; a token needs one of them.
    let scopes: [String]

    package static let send = ProtectedMethod(
        service: "fcm.googleapis.com",
        name: "google.firebase.fcm.v1.FcmService.SendMessage",
        scopes: AccessScope.sending
    )
    package static let otherMessaging = ProtectedMethod(
        service: "fcm.googleapis.com",
        name: nil,
        scopes: AccessScope.sending
    )
    static let impersonation = ProtectedMethod(
        service: "iamcredentials.googleapis.com",
        name: "google.iam.credentials.v1.IAMCredentials.GenerateAccessToken",
        scopes: AccessScope.impersonating
    )
}

extension Authority {
    /// Returns the reason why a request to FCM is not authorized, or nil if it is.
    ///
    /// Unless tokens are required, any bearer token is accepted that this emulator did not issue,
    /// so that programs can be tested without an account. A token that this emulator issued is
    /// always checked.
    package func refusal(
        ofBearer bearer: Substring?,
        for method: ProtectedMethod,
        at now: TokenTime
    ) -> CredentialError? {
        do throws(CredentialError) {
            if requiresTokens || bearer.flatMap(token) != nil {
                try requireToken(bearer, for: method, at: now)
            } else if bearer == nil {
                throw CredentialError(.missing, for: method)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Requires an unexpired token that this emulator issued and that has a suitable scope.
    func requireToken(
        _ bearer: Substring?,
        for method: ProtectedMethod,
        at now: TokenTime
    ) throws(CredentialError) {
        guard let bearer else { throw CredentialError(.missing, for: method) }
        guard let token = token(bearer) else { throw CredentialError(.unknown, for: method) }
        guard now < token.expiry else { throw CredentialError(.expired, for: method) }
        guard token.allows(method.scopes) else {
            throw CredentialError(.insufficientScope, for: method)
        }
    }
}

/// Google's refusal of a credential (Google Cloud documentation, google.rpc.ErrorInfo and the
/// reasons in google.api.ErrorReason; RFC 6750, section 3).
package struct CredentialError: Error, Hashable, Sendable {
    enum Reason: Hashable, Sendable {
        case missing
        /// This emulator did not issue the token. Google's answer has no details in this case.
        case unknown
        case expired
        case insufficientScope
    }

    let reason: Reason
    let method: ProtectedMethod

    init(_ reason: Reason, for method: ProtectedMethod) {
        self.reason = reason
        self.method = method
    }

    package var answer: AuthAnswer {
        let isScope = reason == .insufficientScope
        let status = isScope ? 403 : 401
        var error: JSONObject = [
            "code": .integer(Int64(status)), "message": .string(message),
            "status": isScope ? "PERMISSION_DENIED" : "UNAUTHENTICATED",
        ]
        if let info { error["details"] = [info] }
        var answer = AuthAnswer(status: status, body: ["error": .object(error)])
        answer.headers = [("WWW-Authenticate", challenge)]
        return answer
    }

    private var message: String {
        let expected =
            "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
            + "See https://developers.google.com/identity/sign-in/web/devconsole-project."
        return switch reason {
        case .missing: "Request is missing required authentication credential. " + expected
        case .unknown, .expired: "Request had invalid authentication credentials. " + expected
        case .insufficientScope: "Request had insufficient authentication scopes."
        }
    }

    private var info: JSONValue? {
        let name: JSONValue
        switch reason {
        case .missing: name = "CREDENTIALS_MISSING"
        case .unknown: return nil
        case .expired: name = "ACCESS_TOKEN_EXPIRED"
        case .insufficientScope: name = "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
        }
        var metadata: JSONObject = [:]
        metadata["method"] = method.name.map { .string($0) }
        metadata["service"] = .string(method.service)
        return [
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": name,
            "domain": "googleapis.com", "metadata": .object(metadata),
        ]
    }

    private var challenge: String {
        let realm = "Bearer realm=\"https://accounts.google.com/\""
        return switch reason {
        case .missing: realm
        case .unknown, .expired: realm + ", error=\"invalid_token\""
        case .insufficientScope:
            realm + ", error=\"insufficient_scope\", scope=\""
                + method.scopes.joined(separator: " ") + "\""
        }
    }
}
