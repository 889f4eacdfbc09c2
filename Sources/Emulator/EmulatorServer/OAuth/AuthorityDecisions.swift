import DeliveryModel
import JSON

extension Authority {
    /// What the token endpoints and the emulator's own routes of this kind answer, and what
    /// requests to FCM are refused for; nil where the decision is FCM's.
    ///
    /// Keys and tokens are made here, so the decision is not the same twice; what is recorded of
    /// it, is.
    func decide(
        _ request: EmulatorRequest,
        _ match: RouteMatch,
        at now: DeliveryMoment
    ) -> Decision? {
        guard !request.isTooLarge else { return nil }
        switch match {
        case .nothing, .otherMethods: return nil
        case .served(.oauth(let endpoint)): return decide(request, at: endpoint, now)
        case .served(.authority(let place)):
            do throws(GoogleError) {
                return try decide(request, at: place)
            } catch {
                return .refused(error, request)
            }
        case .served(let route):
            guard !route.isControl, !route.hasPlainErrors else { return nil }
            return refusal(of: request, route, at: now).map { Decision(answer: $0.answer) }
        }
    }

    /// The request without a token that counts for nothing, for the older APIs, which refuse in
    /// words of their own; nil where it is to be looked at as it is.
    func admitting(
        _ request: EmulatorRequest,
        _ match: RouteMatch,
        at now: DeliveryMoment
    ) -> EmulatorRequest? {
        guard case .served(let route) = match, route.hasPlainErrors,
            refusal(of: request, route, at: now) != nil
        else { return nil }
        var request = request
        request.authorization = nil
        return request
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
            case .metadata(let path):
                var decision = decideMetadata(path, request, at: now)
                // What a client says in a body of its own is not to look like something granted.
                if decision.recorded == nil { decision.recorded = RecordedExchange(of: request) }
                return decision
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

extension Route {
    /// Whether the route belongs to one of the older APIs, which refuse with a text alone.
    fileprivate var hasPlainErrors: Bool {
        switch self {
        case .batchAdd, .batchRemove, .batchImport, .info, .membership, .deviceGroups: true
        default: false
        }
    }
}

extension Decision {
    /// Refuses a request that may hold a secret.
    static func refused(_ error: GoogleError, _ request: EmulatorRequest) -> Decision {
        Decision(answer: error.answer, recorded: RecordedExchange(of: request))
    }
}
