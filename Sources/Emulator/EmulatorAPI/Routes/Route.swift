package import EmulatorAuth

/// The purpose of a request, with the parameters of its path.
package enum Route: Hashable, Sendable {
    case send(project: String)
    case batchAdd
    case batchRemove
    case batchImport
    case info(registration: String)
    case membership(registration: String, topic: String)
    case topicSubscriptions(SubscriptionPlace)
    case topicSubscription(SubscriptionPlace, topic: String)
    case deviceGroups
    case deliveryData(DeliveryDataPlace)
    case oauth(OAuthRoute)
    case authority(AuthorityRoute)
    case control(ControlRequest)
    case look(ControlQuery)

    /// Whether the route belongs to the emulator itself and not to Google's APIs.
    var isControl: Bool {
        switch self {
        case .authority, .control, .look: true
        case .send, .batchAdd, .batchRemove, .batchImport, .info, .membership,
            .topicSubscriptions, .topicSubscription, .deviceGroups, .deliveryData, .oauth:
            false
        }
    }
}

extension RouteTable {
    /// The routes without those of the web page.
    package static let api = RouteTable(page: [])

    /// Creates the table of all routes; `page` contains those of the web page.
    ///
    /// The first matching row serves a request. Rows above that of sends cost time for every send.
    package init(page: [Row]) {
        self.init(
            Self.google + Self.topicSubscriptions + Self.oauth + page + Self.control
                + Self.authority
        )
    }

    private static let google = [
        Row("POST", at: "/v1/projects/{project}/messages:send", documentation: .send) {
            .send(project: $0[0])
        },
        Row("POST", at: "/iid/v1:batchAdd", documentation: .batchAdd) { _ in .batchAdd },
        Row("POST", at: "/iid/v1:batchRemove", documentation: .batchRemove) { _ in .batchRemove },
        Row("POST", at: "/iid/v1:batchImport", documentation: .batchImport) { _ in .batchImport },
        Row("GET", at: "/iid/info/{registration}", documentation: .info) {
            .info(registration: $0[0])
        },
        Row("POST", at: "/iid/v1/{registration}/rel/topics/{topic}", documentation: .join) {
            .membership(registration: $0[0], topic: $0[1])
        },
        Row("DELETE", at: "/iid/v1/{registration}/rel/topics/{topic}", documentation: .leave) {
            .membership(registration: $0[0], topic: $0[1])
        },
        Row("POST", at: "/fcm/notification", documentation: .changeGroup) { _ in .deviceGroups },
        Row("GET", at: "/fcm/notification", documentation: .group) { _ in .deviceGroups },
        Row(
            "GET",
            at: "/v1beta1/projects/{project}/androidApps/{app}/deliveryData",
            documentation: .deliveryData
        ) { .deliveryData(DeliveryDataPlace(project: $0[0], app: $0[1])) },
    ]

    private static let topicSubscriptions: [Row] = {
        let all = "/v1/projects/{project}/registrations/{registration}/topicSubscriptions"
        return [
            Row("POST", at: all, documentation: .createSubscription) {
                .topicSubscriptions(SubscriptionPlace($0))
            },
            Row("GET", at: all, documentation: .subscriptions) {
                .topicSubscriptions(SubscriptionPlace($0))
            },
            Row("GET", at: all + "/{topic}", documentation: .subscription) {
                .topicSubscription(SubscriptionPlace($0), topic: $0[2])
            },
            Row("PATCH", at: all + "/{topic}", documentation: .ensureSubscription) {
                .topicSubscription(SubscriptionPlace($0), topic: $0[2])
            },
            Row("DELETE", at: all + "/{topic}", documentation: .deleteSubscription) {
                .topicSubscription(SubscriptionPlace($0), topic: $0[2])
            },
        ]
    }()
}

extension SubscriptionPlace {
    fileprivate init(_ parameters: PathParameters) {
        self.init(project: parameters[0], registration: parameters[1])
    }
}
