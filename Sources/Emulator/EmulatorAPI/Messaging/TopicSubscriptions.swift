import DeliveryModel
import JSON

/// Topic management with the v1 API, on the same memberships as Instance ID (Firebase reference,
/// REST resource projects.registrations.topicSubscriptions).
extension DeliveryBackend {
    /// Decides `POST` and `GET …/topicSubscriptions`.
    func decideTopicSubscriptions(
        _ request: EmulatorRequest,
        of place: SubscriptionPlace,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        let target = RequestTarget(request.target)
        guard request.method == "POST" else {
            try target.refuseUnknownParameters(but: ["pageSize", "pageToken"])
            let device = try subscriber(at: place)
            return Decision(answer: try list(of: device, at: place, query: ListQuery(target)))
        }
        try target.refuseUnknownParameters(but: ["topicName"])
        try checkSubscriptionBody(request)
        guard let name = target.parameter("topicName", "topic_name") else {
            throw .malformedRequest([
                FieldViolation(field: "topic_name", description: "The topic name is not set.")
            ])
        }
        let topic = try topicName(name)
        let device = try subscriber(at: place)
        guard device.topics[topic] == nil else { throw .alreadyExists }
        return try subscribing(device, to: topic, at: place, now: now)
    }

    /// Decides `GET`, `PATCH` and `DELETE …/topicSubscriptions/{topic}`.
    func decideTopicSubscription(
        _ request: EmulatorRequest,
        to name: String,
        of place: SubscriptionPlace,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        let target = RequestTarget(request.target)
        try target.refuseUnknownParameters(
            but: request.method == "GET" ? [] : ["allowMissing", "updateMask"]
        )
        let topic = try topicName(name)
        let allowMissing = target.parameter("allowMissing", "allow_missing") == "true"
        if request.method == "PATCH" { try checkSubscriptionBody(request) }
        let device = try subscriber(at: place)
        switch (request.method, device.topics[topic]) {
        case ("DELETE", let since):
            guard since != nil || allowMissing else { throw .noSuchEntity }
            try checkMembershipRate(of: 1, at: now)
            return Decision(
                answer: .success(),
                effect: .unsubscribe([device.registration].compactMap(\.self), topic)
            )
        case (_, let since?):
            return Decision(answer: .success(place.subscription(to: topic, since: since)))
        case ("PATCH", nil) where allowMissing:
            return try subscribing(device, to: topic, at: place, now: now)
        default:
            throw .noSuchEntity
        }
    }

    private func subscribing(
        _ device: Device,
        to topic: TopicName,
        at place: SubscriptionPlace,
        now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        guard device.topics.count < Self.topicsPerDevice else { throw .tooManyTopics }
        try checkMembershipRate(of: 1, at: now)
        return Decision(
            answer: .success(place.subscription(to: topic, since: now)),
            effect: .subscribe([device.registration].compactMap(\.self), topic)
        )
    }

    private func subscriber(at place: SubscriptionPlace) throws(GoogleError) -> Device {
        guard let registration = DeviceRegistration(place.registration) else {
            throw .invalidRegistration
        }
        guard let device = device(registeredAs: registration) else { throw .unregistered }
        guard device.belongs(to: place.project) else { throw .senderIDMismatch }
        return device
    }

    private func checkMembershipRate(of count: Int, at now: DeliveryMoment) throws(GoogleError) {
        guard allowsMembershipChanges(count, at: now) else { throw .resourceExhausted }
    }

    private func topicName(_ text: String) throws(GoogleError) -> TopicName {
        guard let topic = TopicName(text) else {
            throw .invalid("topic_name", because: "Topic name contains invalid characters.")
        }
        return topic
    }

    private func checkSubscriptionBody(_ request: EmulatorRequest) throws(GoogleError) {
        guard !request.hasNoBody else { return }
        guard let json = request.json else { throw .unreadableBody(request.body) }
        var reader = ShapeReader()
        _ = reader.read(json, as: .topicSubscription)
        guard reader.violations.isEmpty else { throw .malformedRequest(reader.violations) }
    }

    private func list(
        of device: Device,
        at place: SubscriptionPlace,
        query: ListQuery
    ) throws(GoogleError) -> EmulatorAnswer {
        let rest = device.sortedTopics.drop { $0.topic.text <= query.after }
        let page = rest.prefix(query.pageSize)
        var answer: JSONObject = [
            "topic_subscriptions": .array(
                page.map { place.subscription(to: $0.topic, since: $0.since) }
            )
        ]
        if rest.count > page.count, let last = page.last {
            answer.append("next_page_token", value: .string(ListQuery.token(after: last.topic)))
        }
        return .success(.object(answer))
    }
}

/// The app instance in a subscription path.
package struct SubscriptionPlace: Hashable {
    let project: String
    /// A registration token or an installation ID.
    let registration: String

    func subscription(to topic: TopicName, since: DeliveryMoment) -> JSONValue {
        [
            "name": .string(
                "projects/\(project)/registrations/\(registration)/topicSubscriptions/\(topic.text)"
            ),
            "topic_name": .string(topic.text), "create_time": .string(since.rfc3339),
        ]
    }
}

/// The requested page of a list.
private struct ListQuery {
    /// At most 2,000 (default: 1,000).
    let pageSize: Int
    /// The name of the last topic on the previous page; empty for the first page.
    let after: String

    init(_ target: RequestTarget) throws(GoogleError) {
        let size = target.parameter("pageSize", "page_size") ?? "0"
        guard let number = Int32(size), number >= 0 else {
            throw .malformedRequest([
                FieldViolation(
                    field: "page_size",
                    description: "Invalid value at 'page_size' (TYPE_INT32), \"\(size)\""
                )
            ])
        }
        pageSize = number == 0 ? 1_000 : min(Int(number), 2_000)
        let token = target.parameter("pageToken", "page_token") ?? ""
        guard let after = Self.name(from: token) else {
            throw .malformedRequest([
                FieldViolation(field: "page_token", description: "Invalid page token.")
            ])
        }
        self.after = after
    }

    /// Returns the bytes of a topic's name in hexadecimal.
    static func token(after topic: TopicName) -> String {
        topic.text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func name(from token: String) -> String? {
        let digits = token.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == token.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] * 16 + digits[$0 + 1])
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension GoogleError {
    /// An error with an assumed text, because FCM's is unknown; the code is the one that Google's
    /// APIs usually return for a full resource.
    static let tooManyTopics = GoogleError(
        code: 400,
        status: "FAILED_PRECONDITION",
        message: "TOO_MANY_TOPICS: the app instance is subscribed to 2000 topics."
    )
}

extension MessageShape {
    static let topicSubscription = MessageShape(
        "google.firebase.fcm.v1.TopicSubscription",
        fields: [("name topic_name", .string), ("create_time", .timestamp)]
    )
}
