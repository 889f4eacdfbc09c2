import FCMDelivery
import FCMWire

/// The emulator's own requests that change something.
extension DeliveryModel {
    func decideSeeding(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        let specifications = try DeviceSpecification.list(request.json)
        do throws(SeedingFailure) {
            try checkSeeding(of: specifications)
        } catch {
            throw .control(error.explanation)
        }
        let added = Set(specifications.map(\.name)).filter { device(named: $0) == nil }.count
        return Decision(
            answer: .success(["added": .integer(Int64(added))]),
            effect: .seed(specifications)
        )
    }

    func decideChange(
        of name: String,
        _ request: EmulatorRequest
    ) throws(GoogleError) -> Decision {
        guard let device = device(named: name) else {
            throw .notFound(path: String(RequestTarget(request.target).path))
        }
        let object = try read(request.json, as: .deviceChange)
        let change = DeviceChange(
            isOnline: object["online"]?.boolValue,
            isInForeground: object["foreground"]?.boolValue,
            isInstalled: object["installed"]?.boolValue
        )
        return Decision(
            answer: .success([
                "name": .string(name),
                "online": .bool(change.isOnline ?? device.isOnline),
                "foreground": .bool(change.isInForeground ?? device.isInForeground),
                "installed": .bool(change.isInstalled ?? device.isInstalled),
            ]),
            effect: .change(name: name, change)
        )
    }
}

private func read(_ json: JSONValue?, as shape: MessageShape) throws(GoogleError) -> JSONObject {
    guard let json else {
        throw .control("Invalid JSON payload received. Unexpected token.")
    }
    var reader = ShapeReader()
    let object = reader.read(json, as: shape)
    guard reader.violations.isEmpty else { throw .malformedRequest(reader.violations) }
    return object
}

extension DeviceSpecification {
    /// Reads `[{name, platform, registration, online, foreground, topics}]`, or the same as the
    /// member `devices` of an object.
    fileprivate static func list(_ json: JSONValue?) throws(GoogleError) -> [DeviceSpecification] {
        var json = json
        if let elements = json?.arrayValue { json = ["devices": .array(elements)] }
        let object = try read(json, as: .deviceList)
        var specifications: [DeviceSpecification] = []
        for element in object["devices"]?.arrayValue ?? [] {
            specifications.append(try DeviceSpecification(element))
        }
        return specifications
    }

    private init(_ value: JSONValue) throws(GoogleError) {
        guard let name = value["name"]?.stringValue, !name.isEmpty,
            let platform = value["platform"]?.stringValue?.lowercased(),
            let knownPlatform = DevicePlatform(rawValue: platform)
        else { throw .control("A device needs a name and a platform.") }
        guard let registration = value["registration"]?.stringValue,
            let validRegistration = DeviceRegistration(registration)
        else { throw .control("Device \(name) needs a registration that FCM could have given.") }
        let names = (value["topics"]?.arrayValue ?? []).compactMap(\.stringValue)
        let topics = names.compactMap { TopicName($0) }
        guard topics.count == names.count else {
            throw .control("Device \(name) has a topic whose name is malformed.")
        }
        self.init(
            name: name,
            platform: knownPlatform,
            registration: validRegistration,
            isOnline: value["online"]?.boolValue ?? true,
            isInForeground: value["foreground"]?.boolValue ?? false,
            topics: topics,
            project: value["project"]?.stringValue,
            packageName: value["package"]?.stringValue
        )
    }

    var json: JSONValue {
        var members: JSONObject = [
            "name": .string(name), "platform": .string(platform.rawValue),
            "registration": .string(registration.text), "online": .bool(isOnline),
            "foreground": .bool(isInForeground),
            "topics": .array(topics.map { .string($0.text) }),
        ]
        members["project"] = project.map { .string($0) }
        members["package"] = packageName.map { .string($0) }
        return .object(members)
    }
}

extension SeedingFailure {
    var explanation: String {
        switch self {
        case .registrationTaken(let device, let owner):
            "The registration of device \(device) belongs to device \(owner)."
        }
    }
}

extension GoogleError {
    fileprivate static func control(_ description: String) -> GoogleError {
        .malformedRequest([FieldViolation(description: description)])
    }
}

extension MessageShape {
    fileprivate static let deviceList = MessageShape(
        "herald.DeviceList",
        [
            (
                "devices",
                .list(
                    .object(
                        MessageShape(
                            "herald.Device",
                            [
                                ("name registration project package", .string),
                                (
                                    "platform",
                                    .enumeration(
                                        typeName: "herald.Platform",
                                        ["ANDROID", "APPLE", "WEB"]
                                    )
                                ),
                                ("online foreground", .bool),
                                ("topics", .list(.string)),
                            ]
                        )
                    )
                )
            )
        ]
    )

    fileprivate static let deviceChange = MessageShape(
        "herald.DeviceChange",
        [("online foreground installed", .bool)]
    )
}
