import FCMWire
import HTTPTransport

/// Where a project's requests go, and with which authority.
package struct FCMEndpoint: Sendable {
    /// Scheme, host and port, without a slash at the end.
    package let baseURL: String
    /// The project's id in request paths.
    package let project: String
    let bearer: Bearer
    /// For a request and its answer.
    package var requestTimeLimit = Self.standardTimeLimit

    package static let standardTimeLimit = Duration.seconds(30)
    /// Who waits for less gives up on what FCM may be about to take (Firebase documentation, Scaling
    /// with FCM).
    package static let shortestAdvisedTimeLimit = Duration.seconds(10)

    package init(baseURL: String, project: String, bearer: Bearer) {
        self.baseURL = baseURL
        self.project = project
        self.bearer = bearer
    }

    /// `life`: how long what is sent is worth anything; an answer is not awaited for longer.
    func send(body: [UInt8], life: Duration? = nil) -> HTTPRequest {
        post(
            SendRequest.path(project: project),
            body: body,
            timeLimit: min(requestTimeLimit, life ?? requestTimeLimit)
        )
    }

    func change(_ batch: InstanceIDBatch, registrations: [String]) -> HTTPRequest {
        post(
            batch.path,
            body: batch.body(registrations: registrations).compactBytes,
            headers: [HTTPHeader("access_token_auth", "true")]
        )
    }

    /// What a registration is subscribed to.
    func ask(_ question: InstanceIDInfo) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: baseURL + question.path,
            headers: [
                bearer.header,
                HTTPHeader("access_token_auth", "true"),
            ],
            timeLimit: requestTimeLimit
        )
    }

    /// The key of a device group.
    func ask(_ question: DeviceGroupQuestion) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: baseURL + question.path,
            headers: [
                bearer.header,
                HTTPHeader("access_token_auth", "true"),
                // Google wants the project's number; an emulator takes whatever a group was made with.
                HTTPHeader("project_id", project),
                HTTPHeader("Content-Type", "application/json"),
            ],
            timeLimit: requestTimeLimit
        )
    }

    private func post(
        _ path: String,
        body: [UInt8],
        headers: [HTTPHeader] = [],
        timeLimit: Duration? = nil
    ) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: baseURL + path,
            headers: [
                bearer.header,
                HTTPHeader("Content-Type", "application/json; charset=UTF-8"),
            ] + headers,
            body: body,
            timeLimit: timeLimit ?? requestTimeLimit
        )
    }
}
