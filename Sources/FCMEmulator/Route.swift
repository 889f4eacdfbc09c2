/// What a path of the emulator is for.
enum Route: Hashable {
    case send(project: String)
    case batchAdd
    case batchRemove
    case batchImport
    case info(registration: String)
    case membership(registration: String, topic: String)
    case topicSubscriptions(SubscriptionPlace)
    case topicSubscription(SubscriptionPlace, topic: String)
    case deviceGroups
    case health
    case devices
    case device(name: String)
    case inboxes
    case requests
    case reset
    case faults
    case oauth(OAuthRoute)
    case authority(AuthorityRoute)

    init?(path: some StringProtocol) {
        let parts: [String] = path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst().map { Substring($0).percentDecoded }
        switch (parts.count, parts.first) {
        case (4, "v1") where parts[1] == "projects" && parts[3] == "messages:send":
            guard !parts[2].isEmpty else { return nil }
            self = .send(project: parts[2])
        case (6..., "v1") where parts[1] == "projects": self.init(subscriptions: parts)
        case (2, "fcm") where parts[1] == "notification": self = .deviceGroups
        case (2, "iid"): self.init(instanceID: parts[1])
        case (3, "iid") where parts[1] == "info": self = .info(registration: parts[2])
        case (6, "iid") where parts[1] == "v1" && parts[3] == "rel" && parts[4] == "topics":
            self = .membership(registration: parts[2], topic: parts[5])
        case (3, "emulator") where parts[1] == "v1" && parts[2] != "auth":
            self.init(control: parts[2])
        case (4, "emulator") where parts[1] == "v1" && parts[2] == "devices":
            self = .device(name: parts[3])
        case (3..., "emulator") where parts[1] == "v1" && parts[2] == "auth":
            guard let place = AuthorityRoute(parts.dropFirst(3)) else { return nil }
            self = .authority(place)
        default:
            guard let endpoint = OAuthRoute(parts) else { return nil }
            self = .oauth(endpoint)
        }
    }

    /// `v1/projects/P/registrations/R/topicSubscriptions`, and a topic's name after it.
    private init?(subscriptions parts: [String]) {
        guard (6...7).contains(parts.count), parts[3] == "registrations",
            parts[5] == "topicSubscriptions", !parts[2].isEmpty
        else { return nil }
        let place = SubscriptionPlace(project: parts[2], registration: parts[4])
        self =
            parts.count == 6
            ? .topicSubscriptions(place) : .topicSubscription(place, topic: parts[6])
    }

    private init?(instanceID name: String) {
        switch name {
        case "v1:batchAdd": self = .batchAdd
        case "v1:batchRemove": self = .batchRemove
        case "v1:batchImport": self = .batchImport
        default: return nil
        }
    }

    private init?(control name: String) {
        switch name {
        case "health": self = .health
        case "devices": self = .devices
        case "inboxes": self = .inboxes
        case "requests": self = .requests
        case "reset": self = .reset
        case "faults": self = .faults
        default: return nil
        }
    }

    var methods: [String] {
        switch self {
        case .send, .batchAdd, .batchRemove, .batchImport, .reset: ["POST"]
        case .membership: ["POST", "DELETE"]
        case .topicSubscriptions, .deviceGroups: ["GET", "POST"]
        case .topicSubscription: ["GET", "PATCH", "DELETE"]
        case .info, .health, .inboxes, .requests: ["GET"]
        case .devices: ["GET", "POST"]
        case .device: ["PATCH"]
        case .faults: ["GET", "PUT", "DELETE"]
        case .oauth(let endpoint): endpoint.methods
        case .authority(let place): place.methods
        }
    }

    /// Whether the route belongs to the emulator itself and not to Google's APIs.
    var isControl: Bool {
        switch self {
        case .send, .batchAdd, .batchRemove, .batchImport, .info, .membership,
            .topicSubscriptions, .topicSubscription, .deviceGroups, .oauth:
            false
        case .health, .devices, .device, .inboxes, .requests, .reset, .faults, .authority: true
        }
    }

    /// Whether errors are `{"error": "text"}`, as those of the services before the v1 API are.
    var hasPlainErrors: Bool {
        switch self {
        case .batchAdd, .batchRemove, .batchImport, .info, .membership, .deviceGroups: true
        default: false
        }
    }
}
