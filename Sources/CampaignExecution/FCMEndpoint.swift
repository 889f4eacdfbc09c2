import FCMWire
import HTTPTransport

/// Where a project's requests go, and with which authority.
package struct FCMEndpoint: Sendable {
    /// Takes messages, device groups and the topics of single registrations: scheme, host and
    /// port, without a slash at the end.
    package let sends: String
    /// The same for the Instance ID API, which Google serves under a name of its own.
    package let instanceID: String
    /// The project's id in request paths.
    package let project: String
    /// The project's number, where it is known.
    package let sender: String?
    let bearer: Bearer

    package init(
        sends: String,
        instanceID: String,
        project: String,
        sender: String? = nil,
        bearer: Bearer
    ) {
        self.sends = sends
        self.instanceID = instanceID
        self.project = project
        self.sender = sender
        self.bearer = bearer
    }

    /// One server that takes everything.
    package init(server: String, project: String, sender: String? = nil, bearer: Bearer) {
        self.init(
            sends: server,
            instanceID: server,
            project: project,
            sender: sender,
            bearer: bearer
        )
    }

    func send(body: [UInt8]) -> HTTPRequest {
        post(sends + SendRequest.path(project: project), body: body)
    }

    func change(_ batch: InstanceIDBatch, registrations: [String]) -> HTTPRequest {
        post(
            instanceID + batch.path,
            body: batch.body(registrations: registrations).compactBytes,
            headers: [HTTPHeader("access_token_auth", "true")]
        )
    }

    /// Joins or leaves a topic with one registration.
    func change(_ change: TopicSubscriptionChange) -> HTTPRequest {
        switch change.change {
        case .add: post(sends + change.path, body: Array("{}".utf8))
        case .remove:
            HTTPRequest(method: .delete, url: sends + change.path, headers: [bearer.header])
        }
    }

    /// A page of what a registration is subscribed to.
    func ask(_ question: TopicSubscriptionQuestion) -> HTTPRequest {
        HTTPRequest(method: .get, url: sends + question.path, headers: [bearer.header])
    }

    /// What a registration is subscribed to.
    func ask(_ question: InstanceIDInfo) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: instanceID + question.path,
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
            url: sends + question.path,
            headers: [bearer.header, HTTPHeader("Content-Type", "application/json")]
                + groupHeaders
        )
    }

    /// Makes a device group, or changes who is in it.
    func change(_ change: DeviceGroupRequest, registrations: [String]) -> HTTPRequest {
        post(
            sends + DeviceGroupRequest.path,
            body: change.body(registrations: registrations).compactBytes,
            headers: groupHeaders
        )
    }

    /// Google wants the number; an emulator takes whatever a group was made with.
    private var groupHeaders: [HTTPHeader] {
        [HTTPHeader("access_token_auth", "true"), HTTPHeader("project_id", sender ?? project)]
    }

    private func post(
        _ url: String,
        body: [UInt8],
        headers: [HTTPHeader] = []
    ) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: url,
            headers: [
                bearer.header,
                HTTPHeader("Content-Type", "application/json; charset=UTF-8"),
            ] + headers,
            body: body
        )
    }
}
