package import FCMWire
package import HTTPTransport
import JSON

/// The addresses and authorization for a project's requests.
package struct FCMEndpoint: Sendable {
    /// The server for messages, device groups and topics of single registrations: scheme, host and
    /// port, without a trailing slash.
    package let messaging: String
    /// The server of the Instance ID API, for which Google uses a separate host.
    package let instanceID: String
    /// The server of aggregated delivery data, for which Google uses a separate host.
    package let deliveryData: String
    /// The project ID in request paths.
    package let project: String
    /// The project number, if known.
    package let sender: String?
    /// The project whose quota requests use; nil if the credential names it.
    package let quotaProject: String?
    package let bearer: Bearer
    /// The time limit for a request and its answer.
    package var requestTimeLimit = Self.standardTimeLimit

    package static let standardTimeLimit = Duration.seconds(30)
    /// The recommended minimum; a shorter limit may give up on requests that FCM is about to accept
    /// (Firebase documentation, Scaling with FCM).
    package static let shortestAdvisedTimeLimit = Duration.seconds(10)

    package init(
        messaging: String,
        instanceID: String,
        deliveryData: String? = nil,
        project: String,
        sender: String? = nil,
        quotaProject: String? = nil,
        bearer: Bearer
    ) {
        self.messaging = messaging
        self.instanceID = instanceID
        self.deliveryData = deliveryData ?? messaging
        self.project = project
        self.sender = sender
        self.quotaProject = quotaProject
        self.bearer = bearer
    }

    /// Creates an endpoint with one server for all requests, such as an emulator.
    package init(server: String, project: String, sender: String? = nil, bearer: Bearer) {
        self.init(
            messaging: server,
            instanceID: server,
            project: project,
            sender: sender,
            bearer: bearer
        )
    }

    /// Returns a request that sends one message.
    ///
    /// `life`: the remaining lifetime of the message, which limits the wait for an answer.
    package func send(body: [UInt8], life: Duration? = nil) -> HTTPRequest {
        post(
            messaging + SendRequest.path(project: project),
            body: body,
            timeLimit: min(requestTimeLimit, life ?? requestTimeLimit)
        )
    }

    /// Returns a request to the Instance ID API that changes a topic's members.
    package func change(_ batch: InstanceIDBatch, registrations: [String]) -> HTTPRequest {
        post(
            instanceID + batch.path,
            body: batch.body(registrations: registrations).compactBytes,
            headers: [HTTPHeader(name: "access_token_auth", value: "true")]
        )
    }

    /// Returns a request to join or leave a topic with one registration.
    package func change(_ change: TopicSubscriptionChange) -> HTTPRequest {
        switch change.change {
        case .add: post(messaging + change.path, body: Array("{}".utf8))
        case .remove:
            HTTPRequest(
                method: .delete,
                url: messaging + change.path,
                headers: authorization,
                timeLimit: requestTimeLimit
            )
        }
    }

    /// Returns a request for one page of a registration's subscriptions.
    package func ask(_ question: TopicSubscriptionQuestion) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: messaging + question.path,
            headers: authorization,
            timeLimit: requestTimeLimit
        )
    }

    /// Returns a request for a registration's subscriptions.
    package func ask(_ question: InstanceIDInfo) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: instanceID + question.path,
            headers: authorization + [HTTPHeader(name: "access_token_auth", value: "true")],
            timeLimit: requestTimeLimit
        )
    }

    /// Returns a request for one page of aggregated delivery data.
    package func ask(_ question: DeliveryDataQuestion) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: deliveryData + question.path(project: project),
            headers: authorization,
            timeLimit: requestTimeLimit
        )
    }

    /// Returns a request for the key of a device group.
    package func ask(_ question: DeviceGroupQuestion) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: messaging + question.path,
            headers: authorization + [HTTPHeader(name: "Content-Type", value: "application/json")]
                + groupHeaders,
            timeLimit: requestTimeLimit
        )
    }

    /// Returns a request to create a device group or change its members.
    package func change(_ change: DeviceGroupRequest, registrations: [String]) -> HTTPRequest {
        post(
            messaging + DeviceGroupRequest.path,
            body: change.body(registrations: registrations).compactBytes,
            headers: groupHeaders
        )
    }

    /// Google requires the project number; an emulator accepts the value that the group was created
    /// with.
    private var groupHeaders: [HTTPHeader] {
        [
            HTTPHeader(name: "access_token_auth", value: "true"),
            HTTPHeader(name: "project_id", value: sender ?? project),
        ]
    }

    /// The credential of the requests, and the project whose quota they use (Google Cloud
    /// documentation, Set the quota project).
    private var authorization: [HTTPHeader] {
        guard let quotaProject else { return [bearer.header] }
        return [bearer.header, HTTPHeader(name: "x-goog-user-project", value: quotaProject)]
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
                + [HTTPHeader(name: "Content-Type", value: "application/json; charset=UTF-8")]
                + headers,
            body: body,
            timeLimit: timeLimit ?? requestTimeLimit
        )
    }
}
