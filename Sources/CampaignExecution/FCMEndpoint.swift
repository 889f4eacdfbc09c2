import FCMWire
import HTTPTransport

/// Where a project's requests go, and with which authority.
package struct FCMEndpoint: Sendable {
    /// Scheme, host and port, without a slash at the end.
    package let baseURL: String
    /// The project's id in request paths.
    package let project: String
    let bearer: Bearer

    package init(baseURL: String, project: String, bearer: Bearer) {
        self.baseURL = baseURL
        self.project = project
        self.bearer = bearer
    }

    func send(body: [UInt8]) -> HTTPRequest {
        post(SendRequest.path(project: project), body: body)
    }

    func change(_ batch: InstanceIDBatch, registrations: [String]) -> HTTPRequest {
        post(
            batch.path,
            body: batch.body(registrations: registrations).compactBytes,
            headers: [HTTPHeader("access_token_auth", "true")]
        )
    }

    /// Joins or leaves a topic with one registration.
    func change(_ change: TopicSubscriptionChange) -> HTTPRequest {
        switch change.change {
        case .add: post(change.path, body: Array("{}".utf8))
        case .remove:
            HTTPRequest(method: .delete, url: baseURL + change.path, headers: [bearer.header])
        }
    }

    /// A page of what a registration is subscribed to.
    func ask(_ question: TopicSubscriptionQuestion) -> HTTPRequest {
        HTTPRequest(method: .get, url: baseURL + question.path, headers: [bearer.header])
    }

    /// What a registration is subscribed to.
    func ask(_ question: InstanceIDInfo) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: baseURL + question.path,
            headers: [
                bearer.header,
                HTTPHeader("access_token_auth", "true"),
            ]
        )
    }

    /// The key of a device group.
    func ask(_ question: DeviceGroupQuestion) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: baseURL + question.path,
            headers: [bearer.header, HTTPHeader("Content-Type", "application/json")]
                + groupHeaders
        )
    }

    /// Makes a device group, or changes who is in it.
    func change(_ change: DeviceGroupRequest, registrations: [String]) -> HTTPRequest {
        post(
            DeviceGroupRequest.path,
            body: change.body(registrations: registrations).compactBytes,
            headers: groupHeaders
        )
    }

    /// Google wants the project's number; an emulator takes whatever a group was made with.
    private var groupHeaders: [HTTPHeader] {
        [HTTPHeader("access_token_auth", "true"), HTTPHeader("project_id", project)]
    }

    private func post(
        _ path: String,
        body: [UInt8],
        headers: [HTTPHeader] = []
    ) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: baseURL + path,
            headers: [
                bearer.header,
                HTTPHeader("Content-Type", "application/json; charset=UTF-8"),
            ] + headers,
            body: body
        )
    }
}
