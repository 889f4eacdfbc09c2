import DeliveryModel
import JSON

/// `generateAccessToken`: exchanges a token for a token of another account (IAM Service Account
/// Credentials API reference).
///
/// Any valid token may impersonate every known account, because the emulator has no roles.
extension Authority {
    func decideImpersonation(
        of email: String,
        _ request: EmulatorRequest,
        at now: DeliveryMoment
    ) -> Decision {
        do throws(CredentialError) {
            try requireToken(request, for: .impersonation, at: now)
        } catch {
            return Decision(answer: error.answer, recorded: RecordedExchange(of: request))
        }
        do throws(GoogleError) {
            return try generateToken(for: email, request, at: now)
        } catch {
            return .refused(error, request)
        }
    }

    private func generateToken(
        for email: String,
        _ request: EmulatorRequest,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        guard let body = request.json, body.objectValue != nil else {
            throw .malformedRequest([
                FieldViolation(description: "Invalid JSON payload received. Unexpected token.")
            ])
        }
        let delegates = body["delegates"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for name in [email] + delegates.map(\.accountName) where account(name) == nil {
            return Decision(
                answer: .unknownAccount(name),
                recorded: RecordedExchange(of: request)
            )
        }
        let written = body["scope"]?.arrayValue ?? []
        guard let scopes = AccessScope.list(written.compactMap(\.stringValue)) else {
            throw .field("scope", "A scope is required, and each must be a Google scope.")
        }
        let lifetime = try Self.lifetime(body["lifetime"])
        return issue(to: email, scopes: scopes, lifetime: lifetime, for: request, at: now) {
            text,
            token in
            let end = token.expiry.rfc3339
            return [
                "accessToken": .string(text), "expireTime": .string(end.prefix(19) + "Z"),
            ]
        }
    }

    /// Returns the lifetime, from 1 to 3,600 seconds, or nil if the request has none (default: one
    /// hour).
    private static func lifetime(_ json: JSONValue?) throws(GoogleError) -> Int64? {
        guard let json else { return nil }
        guard let text = json.stringValue, text.hasSuffix("s"),
            let seconds = Int64(text.dropLast()), (1...3_600).contains(seconds)
        else {
            throw .field("lifetime", "The lifetime must be from 1s to 3600s.")
        }
        return seconds
    }
}

extension EmulatorAnswer {
    fileprivate static func unknownAccount(_ email: String) -> EmulatorAnswer {
        EmulatorAnswer(
            status: 404,
            body: [
                "error": [
                    "code": 404,
                    "message": .string("Not found; Gaia id not found for email \(email)"),
                    "status": "NOT_FOUND",
                ]
            ]
        )
    }
}

extension GoogleError {
    fileprivate static func field(_ name: String, _ description: String) -> GoogleError {
        .malformedRequest([FieldViolation(field: name, description: description)])
    }
}

extension String {
    /// The last component of `projects/-/serviceAccounts/{email}`: the email address.
    fileprivate var accountName: String {
        split(separator: "/").last.map(String.init) ?? self
    }
}
