import DeliveryModel
import JSON

extension Authority {
    /// Decides requests to the token endpoints and to the emulator's routes for accounts, and
    /// refuses unauthorized FCM requests; returns nil if FCM decides.
    ///
    /// The decision creates keys and tokens, so repeating it gives a different result. Its record
    /// always gives the same result.
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

    /// Returns the request without its invalid token, because the older APIs refuse such requests
    /// in their own format; returns nil if the request needs no change.
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
                // A body from the client must not look like a grant in the log.
                if decision.recorded == nil { decision.recorded = RecordedExchange(of: request) }
                return decision
            }
        } catch {
            return Decision(answer: error.answer, recorded: RecordedExchange(of: request))
        }
    }

    /// Issues a token for an account, with an answer in the format of the endpoint.
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

    /// Returns the token's remaining lifetime as Google reports it: 3599 for a token of one hour.
    func expiresIn(_ token: IssuedToken, _ now: DeliveryMoment) -> JSONValue {
        .integer(max(0, (token.expiry.milliseconds - now.milliseconds) / 1_000 - 1))
    }
}

extension Route {
    /// Whether the route belongs to one of the older APIs, whose errors are plain texts.
    fileprivate var hasPlainErrors: Bool {
        switch self {
        case .batchAdd, .batchRemove, .batchImport, .info, .membership, .deviceGroups: true
        default: false
        }
    }
}

extension Decision {
    /// Refuses a request that may contain a secret.
    static func refused(_ error: GoogleError, _ request: EmulatorRequest) -> Decision {
        Decision(answer: error.answer, recorded: RecordedExchange(of: request))
    }
}
