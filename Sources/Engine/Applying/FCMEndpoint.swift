import FCMWire
import JSON
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
    /// The project on which requests are counted; nil where the credential itself says.
    package let quotaProject: String?
    let bearer: Bearer
    /// For a request and its answer.
    package var requestTimeLimit = Self.standardTimeLimit

    package static let standardTimeLimit = Duration.seconds(30)
    /// Who waits for less gives up on what FCM may be about to take (Firebase documentation, Scaling
    /// with FCM).
    package static let shortestAdvisedTimeLimit = Duration.seconds(10)

    package init(
        sends: String,
        instanceID: String,
        project: String,
        sender: String? = nil,
        quotaProject: String? = nil,
        bearer: Bearer
    ) {
        self.sends = sends
        self.instanceID = instanceID
        self.project = project
        self.sender = sender
        self.quotaProject = quotaProject
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

    /// `life`: how long what is sent is worth anything; an answer is not awaited for longer.
    func send(body: [UInt8], life: Duration? = nil) -> HTTPRequest {
        post(
            sends + SendRequest.path(project: project),
            body: body,
            timeLimit: min(requestTimeLimit, life ?? requestTimeLimit)
        )
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
            HTTPRequest(
                method: .delete,
                url: sends + change.path,
                headers: authorization,
                timeLimit: requestTimeLimit
            )
        }
    }

    /// A page of what a registration is subscribed to.
    func ask(_ question: TopicSubscriptionQuestion) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: sends + question.path,
            headers: authorization,
            timeLimit: requestTimeLimit
        )
    }

    /// What a registration is subscribed to.
    func ask(_ question: InstanceIDInfo) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: instanceID + question.path,
            headers: authorization + [HTTPHeader("access_token_auth", "true")],
            timeLimit: requestTimeLimit
        )
    }

    /// The key of a device group.
    func ask(_ question: DeviceGroupQuestion) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: sends + question.path,
            headers: authorization + [HTTPHeader("Content-Type", "application/json")]
                + groupHeaders,
            timeLimit: requestTimeLimit
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

    /// Whose requests these are, and on which project Google counts them (Google Cloud
    /// documentation, Set the quota project).
    private var authorization: [HTTPHeader] {
        guard let quotaProject else { return [bearer.header] }
        return [bearer.header, HTTPHeader("x-goog-user-project", quotaProject)]
    }

    private func post(
        _ url: String,
        body: [UInt8],
        headers: [HTTPHeader] = [],
        timeLimit: Duration? = nil
    ) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: url,
            headers: authorization
                + [HTTPHeader("Content-Type", "application/json; charset=UTF-8")] + headers,
            body: body,
            timeLimit: timeLimit ?? requestTimeLimit
        )
    }
}
