import FCMDelivery
import FCMWire

extension DeliveryModel {
    /// Decides on `PUT /emulator/v1/snapshot`.
    func decideRestoring(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        let fields = ControlFields(.object(try request.object(as: .snapshot)), at: "")
        guard fields.value["version"] == 1 else {
            throw fields.refusal("version", "Only version 1 is known.")
        }
        let devices = try fields.list("devices") { (device) throws(GoogleError) in
            try DeviceSnapshot(device)
        }
        try checkOwners(devices)
        return Decision(
            answer: .success(["restored": .integer(Int64(devices.count))]),
            effect: .control(.restore(devices))
        )
    }

    /// A name belongs to one device, and so does a registration.
    private func checkOwners(_ devices: [DeviceSnapshot]) throws(GoogleError) {
        var names: Set<String> = []
        var registrations: Set<DeviceRegistration> = []
        for (index, device) in devices.enumerated() {
            let place = "devices[\(index)]"
            guard names.insert(device.device.name).inserted else {
                throw .control("\(place).seeded.name", "Another device has this name.")
            }
            let own = [device.specification.registration, device.device.registration]
            for registration in Set(own.compactMap(\.self)) {
                guard registrations.insert(registration).inserted else {
                    throw .control("\(place).registration", "Another device has it.")
                }
            }
        }
    }
}

extension DeviceSnapshot {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        let seeded = ControlFields(fields.value["seeded"] ?? [:], at: "\(fields.path).seeded")
        let counts = ControlFields(fields.value["counts"] ?? [:], at: "\(fields.path).counts")
        let specification = try DeviceSpecification(seeded)
        self.init(
            specification: specification,
            device: try Device(specification, fields),
            ownTopics: try fields.topics("own_topics"),
            events: try fields.list("events") { (event) throws(GoogleError) in
                try DeviceEvent(event)
            },
            forgotten: try fields.count("forgotten"),
            received: try fields.list("received") { (message) throws(GoogleError) in
                try ReceivedMessage(message)
            },
            pending: try fields.list("pending") { (message) throws(GoogleError) in
                try StoredMessage(message)
            },
            counts: try DeliveryCounts(counts)
        )
    }
}

extension Device {
    fileprivate init(
        _ specification: DeviceSpecification,
        _ fields: ControlFields
    ) throws(GoogleError) {
        self.init(specification)
        registration = try fields.registration("registration")
        isOnline = fields.bool("online") ?? specification.isOnline
        isInForeground = fields.bool("foreground") ?? specification.isInForeground
        isInstalled = fields.bool("installed") ?? true
        isRegistered = registration != nil && fields.bool("registered") ?? true
        let topics = try fields.list("topics") { (topic) throws(GoogleError) in
            (try topic.topic("topic"), try topic.moment("since"))
        }
        guard isRegistered || topics.isEmpty else {
            throw fields.refusal("topics", "Without a registration that counts there are none.")
        }
        guard topics.count <= DeliveryModel.topicsPerDevice else {
            throw fields.refusal("topics", "There are more than \(DeliveryModel.topicsPerDevice).")
        }
        self.topics = Dictionary(topics) { first, _ in first }
    }
}

extension DeviceEvent {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        guard let kind = Kind(rawValue: try fields.name("event").lowercased()) else {
            throw fields.refusal("event", "It is not set.")
        }
        let isCall = kind == .subscribe || kind == .unsubscribe
        self.init(
            kind,
            at: try fields.moment("at"),
            topic: isCall ? fields.text("topic") ?? "" : nil,
            completion: isCall ? try ClientCompletion(fields) : nil
        )
    }
}

extension ClientCompletion {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        switch fields.text("completion") {
        case "DONE": self = .done(at: try fields.moment("completed_at"))
        case "ERROR":
            guard let failure = fields.text("error").flatMap({ ClientFailure(rawValue: $0) })
            else { throw fields.refusal("error", "It is not set.") }
            self = .failed(failure, at: try fields.moment("completed_at"))
        default: self = .pending
        }
    }
}

extension ReceivedMessage {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        let how = try fields.name("how").lowercased()
        guard let manner = Manner(rawValue: how) else {
            throw fields.refusal("how", "It is not set.")
        }
        self.init(
            id: MessageID(try fields.name("message_id")),
            receivedAt: try fields.moment("received_at"),
            manner: manner,
            content: MessageContent(fields)
        )
    }
}

extension StoredMessage {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        self.init(
            id: MessageID(try fields.name("message_id")),
            content: MessageContent(fields),
            expiresAt: try fields.moment("expires_at")
        )
    }
}

extension MessageContent {
    /// What a device shows and hands on; how long the message lives is decided already.
    fileprivate init(_ fields: ControlFields) {
        self.init()
        hasNotification = fields.bool("has_notification") ?? false
        title = fields.text("title")
        body = fields.text("body")
        tag = fields.text("tag")
        clickAction = fields.text("click_action")
        category = fields.text("category")
        link = fields.text("link")
        collapseKey = fields.text("collapse_key")
        priority = fields.text("priority")
        timeToLive = fields.text("ttl")
        let entries = fields.value["data"]?.objectValue?.members ?? []
        data = entries.map { DataEntry(key: $0.key, value: $0.value.stringValue ?? "") }
    }
}

extension DeliveryCounts {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        self.init()
        dropped = try fields.count("dropped")
        collapsed = try fields.count("collapsed")
        nothingForPlatform = try fields.count("nothing_for_platform")
    }
}
