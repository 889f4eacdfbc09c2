import DeliveryModel
import JSON

/// `GET /emulator/v1/search/devices`.
struct DeviceSearch {
    private let page: SearchPage
    private var query = DeviceQuery()
    private let fingerprint: Fingerprint?

    static let names = ["text", "platform", "topic", "online", "installed"]
    /// Maximum number of topics in a device of the answer.
    private static let shownTopics = 20

    init(_ target: RequestTarget) throws(GoogleError) {
        page = try SearchPage(target)
        let text = target.parameter("text")
        query.text = text.map { TextNeedle($0) }
        fingerprint = text.flatMap { Fingerprint($0) }
        query.platform = try SearchPage.choice("platform", of: target, as: DevicePlatform.self)
        query.isOnline = try SearchPage.flag("online", of: target)
        query.isInstalled = try SearchPage.flag("installed", of: target)
        guard let topic = target.parameter("topic") else { return }
        guard let name = TopicName(instanceID: topic) else {
            throw .control("topic", because: "It is not a topic name.")
        }
        query.topic = name
    }

    func answer(in state: inout EmulatorState) -> JSONObject {
        var query = query
        if let fingerprint {
            query.places = Set(state.fingerprints.places(of: fingerprint, in: state.model))
        }
        let found = state.model.search(query, part: page.part)
        return page.answer(
            "devices",
            of: found.devices.map { $0.json(topics: Self.shownTopics) },
            total: found.total
        )
    }
}

extension FoundDevice {
    fileprivate func json(topics limit: Int) -> JSONValue {
        var members = device.json.objectValue ?? [:]
        let topics = device.sortedTopics
        members["topics"] = .array(topics.prefix(limit).map { .string($0.topic.text) })
        members["topic_count"] = .integer(Int64(topics.count))
        members["place"] = .integer(Int64(place))
        members["fingerprint"] = device.registration.map {
            .string(Fingerprint(of: $0.text).text)
        }
        let counts = [
            ("received", received), ("tray", tray), ("pending", pending), ("dropped", dropped),
        ]
        for (name, count) in counts { members[name] = .integer(Int64(count)) }
        members["newest"] = newest.map { message in
            var newest: JSONObject = ["at": .string(message.receivedAt.rfc3339)]
            newest["title"] = message.content.title.map { .string($0) }
            newest["body"] = message.content.body.map { .string($0) }
            return .object(newest)
        }
        return .object(members)
    }
}
