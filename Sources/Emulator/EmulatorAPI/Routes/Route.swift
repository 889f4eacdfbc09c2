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
        default: false
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
        Row("POST", "/v1/projects/{project}/messages:send", .send) { .send(project: $0[0]) },
        Row("POST", "/iid/v1:batchAdd", .batchAdd) { _ in .batchAdd },
        Row("POST", "/iid/v1:batchRemove", .batchRemove) { _ in .batchRemove },
        Row("POST", "/iid/v1:batchImport", .batchImport) { _ in .batchImport },
        Row("GET", "/iid/info/{registration}", .info) { .info(registration: $0[0]) },
        Row("POST", "/iid/v1/{registration}/rel/topics/{topic}", .join) {
            .membership(registration: $0[0], topic: $0[1])
        },
        Row("DELETE", "/iid/v1/{registration}/rel/topics/{topic}", .leave) {
            .membership(registration: $0[0], topic: $0[1])
        },
        Row("POST", "/fcm/notification", .changeGroup) { _ in .deviceGroups },
        Row("GET", "/fcm/notification", .group) { _ in .deviceGroups },
        Row(
            "GET",
            "/v1beta1/projects/{project}/androidApps/{app}/deliveryData",
            .deliveryData
        ) { .deliveryData(DeliveryDataPlace(project: $0[0], app: $0[1])) },
    ]

    private static let topicSubscriptions: [Row] = {
        let all = "/v1/projects/{project}/registrations/{registration}/topicSubscriptions"
        return [
            Row("POST", all, .createSubscription) { .topicSubscriptions(SubscriptionPlace($0)) },
            Row("GET", all, .subscriptions) { .topicSubscriptions(SubscriptionPlace($0)) },
            Row("GET", all + "/{topic}", .subscription) {
                .topicSubscription(SubscriptionPlace($0), topic: $0[2])
            },
            Row("PATCH", all + "/{topic}", .ensureSubscription) {
                .topicSubscription(SubscriptionPlace($0), topic: $0[2])
            },
            Row("DELETE", all + "/{topic}", .deleteSubscription) {
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
