import FCMDelivery
import FCMWire

extension Authority {
    /// What the token endpoints and the emulator's own routes of this kind answer, and what
    /// requests to FCM are refused for; nil where the decision is FCM's.
    ///
    /// Keys and tokens are made here, so the decision is not the same twice; what is recorded of
    /// it, is.
    func decide(
        _ request: EmulatorRequest,
        _ route: Route?,
        at now: DeliveryMoment
    ) -> Decision? {
        guard !request.isTooLarge else { return nil }
        guard let route else {
            let path = String(RequestTarget(request.target).path)
            return RecordedExchange.holdsSecret(request)
                ? .refused(.notFound(path: path), request) : nil
        }
        switch route {
        case .oauth(let endpoint):
            guard endpoint.methods.contains(request.method) else {
                return .refused(.methodNotAllowed(endpoint.methods), request)
            }
            return decide(request, at: endpoint, now)
        case .authority(let place):
            guard place.methods.contains(request.method) else {
                return .refused(.methodNotAllowed(place.methods), request)
            }
            do throws(GoogleError) {
                return try decide(request, at: place)
            } catch {
                return .refused(error, request)
            }
        default:
            guard !route.isControl else { return nil }
            return refusal(of: request, route, at: now).map { error in
                var answer = error.answer
                if route.hasPlainErrors {
                    answer.body = ["error": answer.status == 401 ? "Unauthorized" : "Forbidden"]
                }
                return Decision(answer: answer)
            }
        }
    }

    private func decide(
        _ request: EmulatorRequest,
        at endpoint: OAuthRoute,
        _ now: DeliveryMoment
    ) -> Decision {
        do throws(OAuthError) {
            switch endpoint {
            case .token: return try decideToken(request, at: now)
            case .securityToken: return try decideExchange(request, at: now)
            case .generateAccessToken(let email):
                return decideImpersonation(of: email, request, at: now)
            case .metadata(let path): return decideMetadata(path, request, at: now)
            }
        } catch {
            return Decision(answer: error.answer, recorded: RecordedExchange(of: request))
        }
    }

    /// A token for an account, and its answer by the shape of the endpoint.
    func issue(
        to account: String,
        scopes: [String],
        lifetime: Int64? = nil,
        for request: EmulatorRequest,
        at now: DeliveryMoment,
        answer: (_ text: String, _ token: IssuedToken) -> JSONValue
    ) -> Decision {
        let text = FreshSecret.accessToken()
        let token = IssuedToken(
            digest: SecretDigest(of: text),
            account: account,
            scopes: scopes,
            expiry: now.advanced(bySeconds: lifetime ?? tokenLifetime)
        )
        var recorded = RecordedExchange(of: request)
        recorded.body["granted"] = token.json
        recorded.answer = answer(token.digest.text, token)
        return Decision(
            answer: .success(answer(text, token)),
            effect: .authority(.issue(token)),
            recorded: recorded
        )
    }

    /// What the answer says of the token's life: Google's tokens of an hour say 3599.
    func expiresIn(_ token: IssuedToken, _ now: DeliveryMoment) -> JSONValue {
        .integer(max(0, (token.expiry.milliseconds - now.milliseconds) / 1_000 - 1))
    }
}

extension Decision {
    /// Refuses a request that may hold a secret.
    static func refused(_ error: GoogleError, _ request: EmulatorRequest) -> Decision {
        Decision(answer: error.answer, recorded: RecordedExchange(of: request))
    }
}
