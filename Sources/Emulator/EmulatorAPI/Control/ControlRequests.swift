import DeliveryModel
import JSON

/// Control requests that change the emulator.
extension DeliveryBackend {
    func decideControl(
        _ request: EmulatorRequest,
        as control: ControlRequest,
        sequence: Int,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        switch control {
        case .setFaults, .clearFaults, .setProject, .dropProject:
            // Does not concern devices: `EmulatorState` or `ProjectTable` decides.
            return Decision(answer: .success())
        case .addDevices: return try decideSeeding(request)
        case .adopt: return try decideAdoption(request)
        case .changeDevice(let name):
            return try decideChange(of: name, for: request, at: now)
        case .removeDevice(let name):
            _ = try known(name, for: request)
            return Decision(answer: .success(), effect: .control(.remove(name)))
        case .register(let name):
            return try decideRegistration(of: name, for: request, sequence: sequence)
        case .unregister(let name):
            _ = try known(name, for: request)
            return Decision(answer: .success(), effect: .control(.unregister(name)))
        case .subscribe(let name):
            let object = try request.object(as: .subscription)
            guard let topic = object["topic"]?.stringValue else {
                throw .control("topic", because: "The topic is not set.")
            }
            return try decideCall(.subscribe(topic), on: name, for: request, at: now)
        case .unsubscribe(let name, let topic):
            return try decideCall(.unsubscribe(topic), on: name, for: request, at: now)
        case .tap(let name): return try decideTap(on: name, for: request)
        case .setDelivery: return try decideOptions(request)
        case .restore:
            return try decideRestoring(request)
        case .reset:
            return Decision(answer: .success(), effect: .control(.reset))
        case .sendUpstream(let name):
            return try decideUpstream(from: name, for: request, sequence: sequence)
        case .acknowledgeUpstream: return try decideAcknowledgement(request)
        case .drainUpstream:
            return Decision(answer: .success(), effect: .control(.upstream(.drain)))
        case .setClock:
            // Does not concern devices: `EmulatorState` decides.
            return Decision(answer: .success())
        }
    }

    func known(
        _ name: String,
        for request: EmulatorRequest
    ) throws(GoogleError) -> Device {
        guard let device = device(named: name) else {
            throw .noDevice(named: name)
        }
        return device
    }

    private func decideSeeding(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        let specifications = try DeviceSpecification.list(request)
        do throws(SeedingFailure) {
            try checkSeeding(of: specifications)
        } catch {
            throw .control("devices", because: error.explanation)
        }
        let added = Set(specifications.map(\.name)).filter { device(named: $0) == nil }.count
        return Decision(
            answer: .success(["added": .integer(Int64(added))]),
            effect: .control(.seed(specifications))
        )
    }

    private func decideChange(
        of name: String,
        for request: EmulatorRequest,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        let device = try known(name, for: request)
        let object = try request.object(as: .deviceChange)
        let fields = ControlFields(.object(object), at: "")
        let change = DeviceChange(
            isOnline: fields.bool("online"),
            isInForeground: fields.bool("foreground"),
            isInstalled: fields.bool("installed"),
            isDozing: fields.bool("dozing"),
            isForceStopped: fields.bool("force_stopped"),
            isUserStopped: fields.bool("user_stopped"),
            usesDirectChannel: fields.bool("direct_channel"),
            lastSeen: try fields.optionalMoment("last_seen")
        )
        try fields.checkConditions(
            of: device.platform,
            isOnline: change.isOnline ?? device.isOnline
        )
        try checkFront(fields)
        return Decision(
            answer: .success(.object(foreseen(device, after: change, at: now))),
            effect: .control(.change(name, change))
        )
    }

    /// Refuses conditions that contradict an app in the foreground: the app is started, and the
    /// device is awake.
    private func checkFront(_ fields: ControlFields) throws(GoogleError) {
        guard fields.bool("foreground") == true else { return }
        for name in ["dozing", "force_stopped", "user_stopped"] where fields.bool(name) == true {
            throw fields.refusal(
                of: name,
                because: "It is impossible while the app is in the foreground."
            )
        }
    }

    /// Returns the conditions of a device after a change.
    private func foreseen(
        _ device: Device,
        after change: DeviceChange,
        at now: DeliveryMoment
    ) -> JSONObject {
        var device = device
        device.apply(change, at: now)
        var members: JSONObject = ["name": .string(device.name)]
        for member in device.conditions.members { members[member.key] = member.value }
        return members
    }

    private func decideTap(
        on name: String,
        for request: EmulatorRequest
    ) throws(GoogleError) -> Decision {
        _ = try known(name, for: request)
        let fields = ControlFields(.object(try request.object(as: .tap)), at: "")
        let id = MessageID(try fields.name("message_id"))
        guard let message = shownMessage(id, on: name) else {
            throw fields.refusal(
                of: "message_id",
                because: "The tray of device \(name) does not contain it."
            )
        }
        var answer: JSONObject = ["message_id": .string(id.text)]
        for member in message.content.json.members {
            answer.append(member.key, value: member.value)
        }
        return Decision(
            answer: .success(.object(answer)),
            effect: .control(.tap(id, on: name))
        )
    }

    private func decideRegistration(
        of name: String,
        for request: EmulatorRequest,
        sequence: Int
    ) throws(GoogleError) -> Decision {
        let device = try installed(name, for: request)
        let object = request.isEmpty ? [:] : try request.object(as: .registration)
        var registration = DeviceRegistration(sequence: sequence)
        if let text = object["registration"]?.stringValue {
            registration = DeviceRegistration(text)
        }
        guard let registration else {
            throw .control("registration", because: "It is not a valid registration.")
        }
        if let owner = owner(of: registration), owner != name {
            throw .control("registration", because: "It belongs to device \(owner).")
        }
        var answer: JSONObject = ["registration": .string(registration.text)]
        answer["former"] = device.registration.map { .string($0.text) }
        return Decision(
            answer: .success(.object(answer)),
            effect: .control(.register(name, registration))
        )
    }

    private func decideCall(
        _ call: ClientCall,
        on name: String,
        for request: EmulatorRequest,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        let device = try installed(name, for: request)
        guard hasRoomForCall(on: name) else {
            throw .control(
                "",
                because: "\(Self.waitingCalls) calls of the app are already waiting."
            )
        }
        let number = (log(of: name)?.total ?? 0) + 1
        let event = event(of: call, on: device, at: now)
        return Decision(
            answer: .success(event.json(number, on: device)),
            effect: .control(.call(name, call))
        )
    }

    private func installed(
        _ name: String,
        for request: EmulatorRequest
    ) throws(GoogleError) -> Device {
        let device = try known(name, for: request)
        guard device.isInstalled else {
            throw .control("", because: "The app is not installed on device \(name).")
        }
        return device
    }
}

extension DeviceRegistration {
    /// Creates a registration that looks like FCM's; different requests give different
    /// registrations.
    fileprivate init?(sequence: Int) {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
        )
        var bits = UInt64(sequence)
        let characters = (0..<156).map { _ in
            bits = bits.mixed
            return alphabet[Int(bits >> 58)]
        }
        let text = String(decoding: characters, as: UTF8.self)
        self.init("\(text.prefix(22)):APA91b\(text.dropFirst(22))")
    }
}

extension SeedingFailure {
    var explanation: String {
        switch self {
        case .registrationTaken(let device, let owner):
            "The registration of device \(device) belongs to device \(owner)."
        case .tooManyTopics(let device):
            "Device \(device) has more than \(DeliveryBackend.topicsPerDevice) topics, the limit "
                + "for an app instance (Firebase documentation, Topic messaging)."
        }
    }
}

extension GoogleError {
    /// Creates a refusal by the control API; `field` is empty if no field is at fault.
    package static func control(_ field: String, because description: String) -> GoogleError {
        .malformedRequest([FieldViolation(field: field, description: description)])
    }
}

extension EmulatorRequest {
    fileprivate var isEmpty: Bool { body.isEmpty && (json == nil || json == "") }

    /// Parses the body as an object of a shape.
    func object(as shape: MessageShape) throws(GoogleError) -> JSONObject {
        guard let json else {
            throw .control("", because: "Invalid JSON payload received. Unexpected token.")
        }
        var reader = ShapeReader()
        let object = reader.read(json, as: shape)
        guard reader.violations.isEmpty else { throw .malformedRequest(reader.violations) }
        return object
    }
}
