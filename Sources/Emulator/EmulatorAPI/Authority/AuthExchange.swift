import DeliveryModel
import EmulatorAuth

// The values of the token endpoints in the terms of the API.

extension AuthRequest {
    init(_ request: EmulatorRequest) {
        let target = RequestTarget(request.target)
        self.init(
            authorization: request.authorization,
            host: request.host,
            metadataFlavor: request.metadataFlavor,
            scopes: target.parameter("scopes"),
            recursive: target.parameter("recursive"),
            body: request.body,
            json: request.json
        )
    }
}

extension EmulatorRequest {
    /// The token of the Authorization header or, without one, of the query parameter `access_token`
    /// (Google Cloud documentation, System parameters).
    var bearer: Substring? {
        if let authorization { return authorization.bearerToken }
        let token = RequestTarget(target).parameter("access_token") ?? ""
        return token.isEmpty ? nil : token[...]
    }
}

extension EmulatorAnswer {
    init(_ answer: AuthAnswer) {
        self.init(
            status: answer.status,
            body: answer.body,
            contentType: answer.contentType,
            headers: answer.headers
        )
    }
}

extension Decision {
    init(_ decision: AuthDecision) {
        self.init(
            answer: EmulatorAnswer(decision.answer),
            effect: decision.change.map { .authority($0) } ?? .nothing,
            recorded: decision.recorded
        )
    }
}

extension GoogleError {
    init(_ error: InvalidArgument) {
        self = .malformedRequest([
            FieldViolation(field: error.field, description: error.description)
        ])
    }
}

extension TokenTime {
    init(_ moment: DeliveryMoment) {
        self.init(milliseconds: moment.milliseconds)
    }
}
