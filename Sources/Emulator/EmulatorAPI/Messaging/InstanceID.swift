package import DeliveryModel
import JSON

/// Topic management with the Instance ID API (Google Developers, Instance ID server reference).
extension DeliveryBackend {
    func decideInstanceID(
        _ request: EmulatorRequest,
        at route: Route,
        now: DeliveryMoment
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
            case .send, .topicSubscriptions, .topicSubscription, .deviceGroups, .deliveryData,
                .oauth, .authority, .control, .look:
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

    /// Decides an import: each APNs token becomes an Apple device, as if its app had registered
    /// with FCM.
    ///
    /// A token that is already known returns the current registration of its device.
    private func decide(_ tokens: TokenImport) -> Decision {
        var devices: [DeviceSpecification] = []
        let results = tokens.texts.map { text -> JSONValue in
            guard let text, let token = APNsToken(text) else {
                return ["apns_token": .string(text ?? ""), "status": "INVALID_ARGUMENT"]
            }
            var registration: DeviceRegistration? = token.registration
            if let owner = owner(of: token.registration).flatMap({ device(named: $0) }) {
                registration = owner.isRegistered ? owner.registration : nil
            } else {
                devices.append(imported(token))
            }
            guard let registration else {
                return ["apns_token": .string(text), "status": "NOT_FOUND"]
            }
            return [
                "apns_token": .string(text), "status": "OK",
                "registration_token": .string(registration.text),
            ]
        }
        return Decision(
            answer: .success(["results": .array(results)]),
            effect: .control(.seed(devices))
        )
    }

    /// Returns a device with an unused name.
    private func imported(_ token: APNsToken) -> DeviceSpecification {
        let name = "apns-\(token.text)"
        var free = name
        var number = 2
        while device(named: free) != nil {
            free = "\(name)-\(number)"
            number += 1
        }
        return DeviceSpecification(
            name: free,
            platform: .apple,
            registration: token.registration
        )
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
    package var sortedTopics: [(topic: TopicName, since: DeliveryMoment)] {
        topics.map { ($0.key, $0.value) }.sorted { $0.0.text < $1.0.text }
    }
}
