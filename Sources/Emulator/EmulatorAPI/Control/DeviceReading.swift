import DeliveryModel
import JSON
import PhoneKeys

extension DeviceSpecification {
    /// Reads a list of devices, or an object with such a list as its member `devices`.
    static func list(_ request: EmulatorRequest) throws(GoogleError) -> [DeviceSpecification] {
        var request = request
        if let elements = request.json?.arrayValue {
            request.json = ["devices": .array(elements)]
        }
        let object = try request.object(as: .deviceList)
        var specifications: [DeviceSpecification] = []
        for (index, element) in (object["devices"]?.arrayValue ?? []).enumerated() {
            specifications.append(
                try DeviceSpecification(ControlFields(element, at: "devices[\(index)]"))
            )
        }
        return specifications
    }

    init(_ fields: ControlFields) throws(GoogleError) {
        self.init(
            name: try fields.name("name"),
            platform: try fields.platform("platform"),
            registration: try fields.registration("registration"),
            isOnline: fields.bool("online") ?? true,
            isInForeground: fields.bool("foreground") ?? false,
            topics: try fields.topics("topics"),
            project: fields.text("project"),
            packageName: fields.text("package")
        )
        isDozing = fields.bool("dozing") ?? false
        isForceStopped = fields.bool("force_stopped") ?? false
        isUserStopped = fields.bool("user_stopped") ?? false
        lastSeen = try fields.optionalMoment("last_seen")
        messageKeys = try fields.messageKeys("message_keys")
        try fields.checkConditions(of: platform, isOnline: isOnline)
    }
}

extension ControlFields {
    /// Refuses impossible conditions: only Android devices have Doze, force stop and user profiles,
    /// only Apple devices have a direct channel, and only an offline device can have `last_seen`.
    func checkConditions(of platform: DevicePlatform, isOnline: Bool) throws(GoogleError) {
        for name in ["dozing", "force_stopped", "user_stopped"]
        where platform != .android && bool(name) == true {
            throw refusal(of: name, because: "Only Android devices support it.")
        }
        guard platform == .apple || value["direct_channel"] == nil else {
            throw refusal(of: "direct_channel", because: "Only Apple devices support it.")
        }
        guard value["last_seen"] == nil || !isOnline else {
            throw refusal(of: "last_seen", because: "A device that is online cannot have it.")
        }
    }
}

/// An object in the body of a control request, whose shape has been checked.
struct ControlFields {
    let value: JSONValue
    /// The path of the object in the body.
    let path: String

    init(_ value: JSONValue, at path: String) {
        self.value = value
        self.path = path
    }

    func text(_ name: String) -> String? { value[name]?.stringValue }

    func bool(_ name: String) -> Bool? { value[name]?.boolValue }

    func count(_ name: String) throws(GoogleError) -> Int {
        let count = value[name]?.integerValue ?? 0
        guard count >= 0 else { throw refusal(of: name, because: "It must not be negative.") }
        return Int(count)
    }

    func name(_ name: String) throws(GoogleError) -> String {
        guard let text = text(name), !text.isEmpty else {
            throw refusal(of: name, because: "It is not set.")
        }
        return text
    }

    func moment(_ name: String) throws(GoogleError) -> DeliveryMoment {
        guard let moment = text(name).flatMap({ DeliveryMoment(instant: $0) }) else {
            throw refusal(of: name, because: "It must be a UTC time such as 2026-03-20T07:30:00Z.")
        }
        return moment
    }

    /// Returns nil if the field is missing.
    func optionalMoment(_ name: String) throws(GoogleError) -> DeliveryMoment? {
        value[name] == nil ? nil : try moment(name)
    }

    func platform(_ name: String) throws(GoogleError) -> DevicePlatform {
        guard let platform = text(name).flatMap({ DevicePlatform(rawValue: $0.lowercased()) })
        else {
            let names = DevicePlatform.allCases.map(\.rawValue).joined(separator: ", ")
            throw refusal(of: name, because: "It is not set. It must be one of \(names).")
        }
        return platform
    }

    func registration(_ name: String) throws(GoogleError) -> DeviceRegistration? {
        guard let text = text(name) else { return nil }
        guard let registration = DeviceRegistration(text) else {
            throw refusal(of: name, because: "It is not a valid registration.")
        }
        return registration
    }

    func topic(_ name: String) throws(GoogleError) -> TopicName {
        guard let topic = text(name).flatMap({ TopicName($0) }) else {
            throw refusal(of: name, because: "It is not a topic name.")
        }
        return topic
    }

    func topics(_ name: String) throws(GoogleError) -> [TopicName] {
        var topics: [TopicName] = []
        for (index, element) in (value[name]?.arrayValue ?? []).enumerated() {
            guard let topic = element.stringValue.flatMap({ TopicName($0) }) else {
                throw refusal(of: "\(name)[\(index)]", because: "It is not a topic name.")
            }
            topics.append(topic)
        }
        return topics
    }

    /// Reads private keys in base64url.
    func messageKeys(_ name: String) throws(GoogleError) -> [String] {
        var keys: [String] = []
        for (index, element) in (value[name]?.arrayValue ?? []).enumerated() {
            guard let key = element.stringValue.flatMap({ PhoneKey($0) }) else {
                throw refusal(
                    of: "\(name)[\(index)]",
                    because: "It is not the private key of X25519 in base64url."
                )
            }
            keys.append(key.privateText)
        }
        return keys
    }

    /// Reads the objects of a list in order.
    func list<Element>(
        _ name: String,
        read: (ControlFields) throws(GoogleError) -> Element
    ) throws(GoogleError) -> [Element] {
        var elements: [Element] = []
        for (index, element) in (value[name]?.arrayValue ?? []).enumerated() {
            elements.append(
                try read(ControlFields(element, at: "\(place(of: name))[\(index)]"))
            )
        }
        return elements
    }

    func refusal(of name: String, because description: String) -> GoogleError {
        .control(place(of: name), because: description)
    }

    private func place(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
