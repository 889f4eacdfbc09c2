import FCMDelivery
import FCMWire

/// Topic management over the Instance ID API (Google Developers, Instance ID server reference).
extension DeliveryModel {
    func decideInstanceID(
        _ request: EmulatorRequest,
        at route: Route,
        _ now: DeliveryMoment
    ) -> Decision {
        guard request.isAuthorized else { return .refused(.unauthorized) }
        do throws(InstanceIDRefusal) {
            switch route {
            case .batchAdd:
                return try decide(try MembershipBatch(request.json), adds: true, at: now)
            case .batchRemove:
                return try decide(try MembershipBatch(request.json), adds: false, at: now)
            case .batchImport:
                return decide(try TokenImport(request.json))
            case .membership(let registration, let topic):
                let adds = request.method == "POST"
                return try decideMembership(of: registration, in: topic, adds: adds, at: now)
            case .info(let registration):
                let details = RequestTarget(request.target).parameter("details") == "true"
                return Decision(answer: try info(on: registration, details: details))
            default:
                return Decision(answer: .success())
            }
        } catch {
            return .refused(error)
        }
    }

    private func decide(
        _ batch: MembershipBatch,
        adds: Bool,
        at now: DeliveryMoment
    ) throws(InstanceIDRefusal) -> Decision {
        var changed: [DeviceRegistration] = []
        var results: [JSONValue] = []
        for text in batch.registrations {
            let registration = text.flatMap { DeviceRegistration($0) }
            if let problem = problem(of: registration, in: batch.topic, adds: adds) {
                results.append(["error": .string(problem.rawValue)])
            } else if let registration {
                changed.append(registration)
                results.append([:])
            }
        }
        guard allowsMembershipChanges(changed.count, at: now) else { throw .tooManyRequests }
        return Decision(
            answer: .success(["results": .array(results)]),
            effect: adds ? .subscribe(changed, batch.topic) : .unsubscribe(changed, batch.topic)
        )
    }

    private func decideMembership(
        of text: String,
        in name: String,
        adds: Bool,
        at now: DeliveryMoment
    ) throws(InstanceIDRefusal) -> Decision {
        guard let topic = TopicName(instanceID: name) else { throw .topicName }
        let registration = DeviceRegistration(text)
        switch problem(of: registration, in: topic, adds: adds) {
        case .invalidArgument: throw .token
        case .notFound: throw .unknownToken
        case .tooManyTopics: throw .tooManyTopics
        case nil: break
        }
        guard allowsMembershipChanges(1, at: now) else { throw .tooManyRequests }
        let changed = [registration].compactMap(\.self)
        return Decision(
            answer: .success(),
            effect: adds ? .subscribe(changed, topic) : .unsubscribe(changed, topic)
        )
    }

    private func problem(
        of registration: DeviceRegistration?,
        in topic: TopicName,
        adds: Bool
    ) -> MembershipProblem? {
        guard let registration, !isMalformed(registration) else { return .invalidArgument }
        guard adds else { return device(registeredAs: registration) == nil ? .notFound : nil }
        return switch outcomeOfSubscribing(registration, to: topic) {
        case .done: nil
        case .notFound: .notFound
        case .tooManyTopics: .tooManyTopics
        }
    }

    /// Each APNs token becomes an Apple device, as if its app had registered with FCM.
    private func decide(_ tokens: TokenImport) -> Decision {
        var devices: [DeviceSpecification] = []
        var results: [JSONValue] = []
        for text in tokens.texts {
            guard let text, let device = DeviceSpecification(apnsToken: text) else {
                results.append(["apns_token": .string(text ?? ""), "status": "INVALID_ARGUMENT"])
                continue
            }
            devices.append(device)
            results.append([
                "apns_token": .string(text), "status": "OK",
                "registration_token": .string(device.registration.text),
            ])
        }
        return Decision(answer: .success(["results": .array(results)]), effect: .seed(devices))
    }

    private func info(
        on text: String,
        details: Bool
    ) throws(InstanceIDRefusal) -> EmulatorAnswer {
        guard let registration = DeviceRegistration(text) else { throw .token }
        guard let device = device(registeredAs: registration) else { throw .unknownToken }
        var info: JSONObject = [
            "application": .string(device.packageName ?? "herald.emulator"),
            "applicationVersion": "1", "authorizedEntity": .string(device.project ?? "0"),
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

/// What is wrong with one registration of a batch, in the API's words.
private enum MembershipProblem: String {
    case notFound = "NOT_FOUND"
    case invalidArgument = "INVALID_ARGUMENT"
    case tooManyTopics = "TOO_MANY_TOPICS"
}

/// Why a request is refused as a whole.
private enum InstanceIDRefusal: Error {
    case unauthorized
    case body
    case topicName
    case token
    case tokenCount(limit: Int)
    case unknownToken
    case tooManyTopics
    case tooManyRequests

    var status: Int {
        switch self {
        case .unauthorized: 401
        case .unknownToken: 404
        case .tooManyRequests: 429
        case .body, .topicName, .token, .tokenCount, .tooManyTopics: 400
        }
    }

    var text: String {
        switch self {
        case .unauthorized: "Unauthorized"
        case .body: "InvalidJson"
        case .topicName: "InvalidTopicName"
        case .token: "InvalidToken"
        case .tokenCount(let limit): "InvalidTokens: 1 to \(limit) tokens are needed"
        case .unknownToken: "No information found about this instance id."
        case .tooManyTopics: "TOO_MANY_TOPICS"
        case .tooManyRequests: "RESOURCE_EXHAUSTED"
        }
    }
}

extension Decision {
    fileprivate static func refused(_ refusal: InstanceIDRefusal) -> Decision {
        Decision(
            answer: EmulatorAnswer(
                status: refusal.status,
                body: ["error": .string(refusal.text)]
            )
        )
    }
}

/// The body of `batchAdd` and `batchRemove`.
private struct MembershipBatch {
    let topic: TopicName
    /// Nil for what is no string.
    let registrations: [String?]

    init(_ json: JSONValue?) throws(InstanceIDRefusal) {
        guard let value = json?.objectValue else { throw .body }
        guard let to = value["to"]?.stringValue, to.hasPrefix("/topics/"),
            let topic = TopicName(instanceID: String(to.dropFirst("/topics/".count)))
        else { throw .topicName }
        self.topic = topic
        registrations = try value.texts(of: "registration_tokens", upTo: 1_000)
    }
}

/// The body of `batchImport`.
private struct TokenImport {
    /// Nil for what is no string.
    let texts: [String?]

    init(_ json: JSONValue?) throws(InstanceIDRefusal) {
        guard let value = json?.objectValue, value["application"]?.stringValue != nil,
            value["sandbox"]?.boolValue != nil
        else { throw .body }
        texts = try value.texts(of: "apns_tokens", upTo: 100)
    }
}

extension JSONObject {
    fileprivate func texts(
        of name: String,
        upTo limit: Int
    ) throws(InstanceIDRefusal) -> [String?] {
        guard let elements = self[name]?.arrayValue, (1...limit).contains(elements.count) else {
            throw .tokenCount(limit: limit)
        }
        return elements.map(\.stringValue)
    }
}

extension DeviceSpecification {
    /// Nil where the text is not the hexadecimal digits of 32 to 100 bytes.
    ///
    /// The same token gives
    /// the same registration.
    fileprivate init?(apnsToken text: String) {
        let token = text.lowercased()
        guard token.utf8.count.isMultiple(of: 2), (64...200).contains(token.utf8.count),
            token.allSatisfy(\.isHexDigit),
            let registration = DeviceRegistration("apns:APA91b\(token)")
        else { return nil }
        self.init(name: "apns-\(token)", platform: .apple, registration: registration)
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
