import FCMDelivery
import FCMWire

/// Topic management over the Instance ID API (Google Developers, Instance ID server reference).
extension DeliveryModel {
    func decideInstanceID(_ request: EmulatorRequest, at route: Route) -> Decision {
        guard request.isAuthorized else {
            return Decision(answer: .instanceIDError("Unauthorized", status: 401))
        }
        switch route {
        case .info(let registration):
            let details = RequestTarget(request.target).parameter("details") == "true"
            return Decision(answer: info(on: registration, details: details))
        case .batchRemove:
            return decideBatch(
                request,
                outcome: { model, registration, _ in
                    model.device(registeredAs: registration) == nil ? .notFound : .done
                },
                effect: Effect.unsubscribe
            )
        default:
            return decideBatch(
                request,
                outcome: { model, registration, topic in
                    model.outcomeOfSubscribing(registration, to: topic)
                },
                effect: Effect.subscribe
            )
        }
    }

    private func decideBatch(
        _ request: EmulatorRequest,
        outcome: (DeliveryModel, DeviceRegistration, TopicName) -> SubscriptionOutcome,
        effect: ([DeviceRegistration], TopicName) -> Effect
    ) -> Decision {
        let batch: MembershipBatch
        do throws(MembershipBatch.Failure) {
            batch = try MembershipBatch(request.json)
        } catch {
            return Decision(answer: .instanceIDError(error.text, status: 400))
        }
        var changed: [DeviceRegistration] = []
        var results: [JSONValue] = []
        for text in batch.registrations {
            guard let registration = text.flatMap({ DeviceRegistration($0) }) else {
                results.append(["error": "INVALID_ARGUMENT"])
                continue
            }
            switch outcome(self, registration, batch.topic) {
            case .done:
                changed.append(registration)
                results.append([:])
            case .notFound: results.append(["error": "NOT_FOUND"])
            case .tooManyTopics: results.append(["error": "TOO_MANY_TOPICS"])
            }
        }
        return Decision(
            answer: .success(["results": .array(results)]),
            effect: effect(changed, batch.topic)
        )
    }

    private func info(on text: String, details: Bool) -> EmulatorAnswer {
        guard let registration = DeviceRegistration(text) else {
            return .instanceIDError("InvalidToken", status: 400)
        }
        guard let device = device(registeredAs: registration) else {
            return .instanceIDError("No information found about this instance id.", status: 404)
        }
        var info: JSONObject = [
            "application": "herald.emulator", "authorizedEntity": "0",
            "platform": .string(device.platform.instanceIDName),
        ]
        if details {
            let topics = device.sortedTopics.map { topic, since in
                JSONObject.Member(
                    key: topic.text,
                    value: ["addDate": .string(String(since.rfc3339.prefix(10)))]
                )
            }
            info["rel"] = ["topics": .object(JSONObject(topics))]
        }
        return .success(.object(info))
    }
}

/// The body of `batchAdd` and `batchRemove`.
private struct MembershipBatch {
    enum Failure: Error {
        case notJSON
        case topic
        case registrations

        var text: String {
            switch self {
            case .notJSON: "InvalidJson"
            case .topic: "InvalidTopicName"
            case .registrations: "InvalidTokens: 1 to 1000 registration_tokens are needed"
            }
        }
    }

    let topic: TopicName
    /// Nil for what is no string.
    let registrations: [String?]

    init(_ json: JSONValue?) throws(Failure) {
        guard let value = json?.objectValue else { throw .notJSON }
        guard let to = value["to"]?.stringValue, to.hasPrefix("/topics/"),
            let topic = TopicName(String(to.dropFirst("/topics/".count)))
        else { throw .topic }
        guard let tokens = value["registration_tokens"]?.arrayValue,
            (1...1_000).contains(tokens.count)
        else { throw .registrations }
        self.topic = topic
        registrations = tokens.map(\.stringValue)
    }
}

extension EmulatorAnswer {
    fileprivate static func instanceIDError(_ text: String, status: Int) -> EmulatorAnswer {
        EmulatorAnswer(status: status, body: ["error": .string(text)])
    }
}

extension DevicePlatform {
    fileprivate var instanceIDName: String {
        switch self {
        case .android: "ANDROID"
        case .apple: "IOS"
        case .web: "CHROME"
        }
    }
}

extension Device {
    var sortedTopics: [(topic: TopicName, since: DeliveryMoment)] {
        topics.map { ($0.key, $0.value) }.sorted { $0.0.text < $1.0.text }
    }
}
