import DeliveryModel
import EmulatorAuth
import JSON

extension Authority {
    /// Decides requests to the token endpoints and to the emulator's routes for accounts, and
    /// refuses unauthorized FCM requests; returns nil if FCM decides.
    ///
    /// The decision creates keys and tokens, so repeating it gives a different result. Its record
    /// always gives the same result.
    func decide(
        _ request: EmulatorRequest,
        match: RouteMatch,
        at now: DeliveryMoment
    ) -> Decision? {
        guard !request.isTooLarge else { return nil }
        switch match {
        case .nothing, .otherMethods: return nil
        case .served(.oauth(let endpoint)):
            return refusing(request) { () throws(InvalidArgument) in
                Decision(try decide(AuthRequest(request), at: endpoint, now: TokenTime(now)))
            }
        case .served(.authority(let place)):
            do throws(GoogleError) {
                return try decide(request, at: place)
            } catch {
                return .refused(error, for: request)
            }
        case .served(let route):
            guard !route.isControl, !route.hasPlainErrors, !request.isOfAppServer else {
                return nil
            }
            return refusal(of: request, to: route, at: now).map {
                Decision(answer: EmulatorAnswer($0.answer))
            }
        }
    }

    /// Returns the request without its invalid token, because the older APIs refuse such requests
    /// in their own format; returns nil if the request needs no change.
    func admitting(
        _ request: EmulatorRequest,
        match: RouteMatch,
        at now: DeliveryMoment
    ) -> EmulatorRequest? {
        guard case .served(let route) = match, route.hasPlainErrors,
            refusal(of: request, to: route, at: now) != nil
        else { return nil }
        var request = request
        // A missing header would admit a token in the query.
        request.authorization = ""
        return request
    }

    /// Returns the reason why a request to FCM is not authorized, or nil if it is.
    private func refusal(
        of request: EmulatorRequest,
        to route: Route,
        at now: DeliveryMoment
    ) -> CredentialError? {
        let method: ProtectedMethod =
            if case .send = route { .send } else { .otherMessaging }
        return refusal(ofBearer: request.bearer, for: method, at: TokenTime(now))
    }

    private func refusing(
        _ request: EmulatorRequest,
        otherwise decide: () throws(InvalidArgument) -> Decision
    ) -> Decision {
        do throws(InvalidArgument) {
            return try decide()
        } catch {
            return .refused(GoogleError(error), for: request)
        }
    }
}

extension Authority {
    /// Replays the changes of a recorded request; returns false if it is not a request for tokens
    /// or accounts.
    mutating func replay(
        _ logged: LoggedRequest,
        match: RouteMatch,
        at now: TokenTime
    ) -> Bool {
        switch match {
        case .served(.oauth):
            if let issue = Authority.issue(in: logged.request.json) { perform(issue, at: now) }
        case .served(.authority(let place)):
            // An accepted request is accepted again, because its record is a request with the same
            // effect.
            if let decision = try? decide(logged.request, at: place),
                case .authority(let change) = decision.effect
            {
                perform(change, at: now)
            }
        default: return false
        }
        return true
    }
}

extension Route {
    /// Whether the route belongs to one of the older APIs, whose errors are plain texts.
    fileprivate var hasPlainErrors: Bool {
        switch self {
        case .batchAdd, .batchRemove, .batchImport, .info, .membership, .deviceGroups: true
        case .send, .topicSubscriptions, .topicSubscription, .deliveryData, .oauth, .authority,
            .control, .look:
            false
        }
    }
}

extension Decision {
    /// Refuses a request that may contain a secret.
    fileprivate static func refused(_ error: GoogleError, for request: EmulatorRequest) -> Decision
    {
        Decision(answer: error.answer, recorded: RecordedExchange(of: AuthRequest(request)))
    }
}
