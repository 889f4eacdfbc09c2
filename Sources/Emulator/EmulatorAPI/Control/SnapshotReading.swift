import DeliveryModel
import JSON

extension DeliveryBackend {
    /// Decides `PUT /emulator/v1/snapshot`.
    func decideRestoring(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        let fields = ControlFields(.object(try request.object(as: .snapshot)), at: "")
        guard fields.value["version"] == 1 else {
            throw fields.refusal(of: "version", because: "Only version 1 is supported.")
        }
        let devices = try fields.list("devices") { (device) throws(GoogleError) in
            try DeviceSnapshot(device)
        }
        try checkOwners(devices)
        let fanOuts = try fields.list("fan_outs") { (fanOut) throws(GoogleError) in
            try FanOutSnapshot(fanOut)
        }
        return Decision(
            answer: .success(["restored": .integer(Int64(devices.count))]),
            effect: .control(.restore(devices, fanOuts))
        )
    }

    /// Checks that names and registrations are unique among the devices.
    private func checkOwners(_ devices: [DeviceSnapshot]) throws(GoogleError) {
        var names: Set<String> = []
        var registrations: Set<DeviceRegistration> = []
        for (index, device) in devices.enumerated() {
            let place = "devices[\(index)]"
            guard names.insert(device.device.name).inserted else {
                throw .control("\(place).seeded.name", because: "Another device has this name.")
            }
            let own = [device.specification.registration, device.device.registration]
            for registration in Set(own.compactMap(\.self)) {
                guard registrations.insert(registration).inserted else {
                    throw .control(
                        "\(place).registration",
                        because: "Another device has this registration."
                    )
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
            device: try Device(specification, fields: fields),
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
        memory = try DeliveryMemory(
            ControlFields(fields.value["memory"] ?? [:], at: "\(fields.path).memory")
        )
        memory.tray = try tray(fields)
        memory.dropped = try fields.list("dropped") { (message) throws(GoogleError) in
            try DroppedMessage(message)
        }
    }

    /// Reads the tray, whose numbers must be those of stored received messages.
    private func tray(_ fields: ControlFields) throws(GoogleError) -> [Int] {
        let numbers = (fields.value["tray"]?.arrayValue ?? []).compactMap(\.integerValue)
        let known = Int64(forgotten)..<Int64(forgotten + received.count)
        guard numbers.allSatisfy({ known.contains($0 - 1) }) else {
            throw fields.refusal(
                of: "tray",
                because: "It contains a message that was not received."
            )
        }
        return numbers.map { Int($0) }
    }
}

extension Device {
    fileprivate init(
        _ specification: DeviceSpecification,
        fields: ControlFields
    ) throws(GoogleError) {
        self.init(specification)
        registration = try fields.registration("registration")
        isOnline = fields.bool("online") ?? specification.isOnline
        isInForeground = fields.bool("foreground") ?? specification.isInForeground
        isInstalled = fields.bool("installed") ?? true
        isDozing = fields.bool("dozing") ?? specification.isDozing
        isForceStopped = fields.bool("force_stopped") ?? specification.isForceStopped
        isUserStopped = fields.bool("user_stopped") ?? specification.isUserStopped
        usesDirectChannel = fields.bool("direct_channel") ?? true
        lastSeen = try fields.optionalMoment("last_seen") ?? specification.lastSeen
        isRegistered = registration != nil && fields.bool("registered") ?? true
        let topics = try fields.list("topics") { (topic) throws(GoogleError) in
            (try topic.topic("topic"), try topic.moment("since"))
        }
        guard isRegistered || topics.isEmpty else {
            throw fields.refusal(
                of: "topics",
                because: "A device without a valid registration has no topics."
            )
        }
        guard topics.count <= DeliveryBackend.topicsPerDevice else {
            throw fields.refusal(
                of: "topics",
                because: "The limit is \(DeliveryBackend.topicsPerDevice)."
            )
        }
        self.topics = Dictionary(topics) { first, _ in first }
    }
}

extension DeviceEvent {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        guard let kind = Kind(rawValue: try fields.name("event").lowercased()) else {
            throw fields.refusal(of: "event", because: "It is not set.")
        }
        let isCall = kind == .subscribe || kind == .unsubscribe
        let hasCompletion = isCall || kind == .sendSuccess || kind == .sendFailure
        self.init(
            kind,
            at: try fields.moment("at"),
            topic: isCall ? fields.text("topic") ?? "" : nil,
            completion: hasCompletion ? try ClientCompletion(fields) : nil,
            message: fields.text("message_id").map { MessageID($0) }
        )
    }
}

extension ClientCompletion {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        switch fields.text("completion") {
        case "DONE": self = .done(at: try fields.moment("completed_at"))
        case "ERROR":
            guard let failure = fields.text("error").flatMap({ ClientFailure(rawValue: $0) })
            else { throw fields.refusal(of: "error", because: "It is not set.") }
            self = .failed(failure, at: try fields.moment("completed_at"))
        default: self = .pending
        }
    }
}

extension ReceivedMessage {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        let how = try fields.name("how").lowercased()
        guard let manner = Manner(rawValue: how) else {
            throw fields.refusal(of: "how", because: "It is not set.")
        }
        let receivedAt = try fields.moment("received_at")
        self.init(
            id: MessageID(try fields.name("message_id")),
            acceptedAt: try fields.optionalMoment("accepted_at") ?? receivedAt,
            receivedAt: receivedAt,
            openedAt: try fields.optionalMoment("opened_at"),
            manner: manner,
            trayState: fields.text("tray_state").flatMap { TrayState(rawValue: $0) } ?? .showing,
            delay: fields.delay,
            isPriorityLowered: fields.bool("priority_lowered") ?? false,
            content: MessageContent(fields)
        )
    }
}

extension StoredMessage {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        let past = DeliveryMoment(milliseconds: 0)
        self.init(
            id: MessageID(try fields.name("message_id")),
            content: MessageContent(fields),
            key: fields.text("key") ?? fields.text("collapse_key"),
            acceptedAt: try fields.optionalMoment("accepted_at") ?? past,
            expiresAt: try fields.moment("expires_at"),
            rateUntil: try fields.optionalMoment("rate_until") ?? past,
            backgroundUntil: try fields.optionalMoment("background_until") ?? past,
            delay: fields.delay,
            isPriorityLowered: fields.bool("priority_lowered") ?? false
        )
    }
}

extension DroppedMessage {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        guard let outcome = fields.text("outcome").flatMap({ MessageOutcome(rawValue: $0) })
        else { throw fields.refusal(of: "outcome", because: "It is not set.") }
        let droppedAt = try fields.moment("dropped_at")
        self.init(
            id: MessageID(try fields.name("message_id")),
            content: MessageContent(fields),
            acceptedAt: try fields.optionalMoment("accepted_at") ?? droppedAt,
            at: droppedAt,
            outcome: outcome,
            isChoiceOfModel: fields.bool("choice_of_model") ?? false
        )
    }
}

extension DeliveryMemory {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        self.init()
        collapsible = try RateWindow(from: fields, named: "collapsible")
        // `minute` and `hour`, which earlier snapshots have, do not contain the times.
        let runs = try fields.list("sent") { (run) throws(GoogleError) in
            RateLog.Run(at: try run.moment("at"), count: try run.count("count"))
        }
        rates = RateLog(runs.sorted { $0.at < $1.at })
        owesNotice = fields.bool("owes_notice") ?? false
        notices = try fields.count("notices")
        missedData = try fields.optionalMoment("missed_data")
        lastNotice = try fields.optionalMoment("last_notice")
        noticeOfRemoval = try fields.optionalMoment("notice_of_removal")
    }
}

extension RateWindow {
    /// Maximum use by one device in a day.
    private static let most: Int64 = 1_000_000_000_000_000

    fileprivate init(from fields: ControlFields, named name: String) throws(GoogleError) {
        guard let value = fields.value[name] else {
            self.init(used: 0, asOf: DeliveryMoment(milliseconds: 0))
            return
        }
        let window = ControlFields(value, at: "\(fields.path).\(name)")
        guard let used = window.text("used").flatMap({ Int64($0) }),
            (0...Self.most).contains(used)
        else {
            throw window.refusal(of: "used", because: "It must be a number in the allowed range.")
        }
        self.init(used: used, asOf: try window.moment("as_of"))
    }
}

extension FanOutSnapshot {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        var contents: [DevicePlatform: MessageContent] = [:]
        for platform in DevicePlatform.allCases {
            guard let value = fields.value[platform.rawValue] else { continue }
            let part = ControlFields(value, at: "\(fields.path).\(platform.rawValue)")
            var content = MessageContent(part)
            content.isEmpty = part.bool("nothing") ?? false
            content.collapsesByPackage = part.bool("by_package") ?? false
            content.life = MessageLife(of: content, on: platform)
            contents[platform] = content
        }
        self.init(
            id: MessageID(try fields.name("message_id")),
            contents: contents,
            isEmptyForAll: fields.bool("empty") ?? false,
            packageName: fields.text("package"),
            isToTopic: fields.bool("to_topic") ?? true,
            recipients: (fields.value["recipients"]?.arrayValue ?? []).compactMap(\.stringValue),
            next: try fields.optionalMoment("next")
        )
    }
}

extension ControlFields {
    fileprivate var delay: MessageDelay {
        text("delay").flatMap { MessageDelay(rawValue: $0) } ?? .deliveredNoDelay
    }
}

extension MessageContent {
    /// Reads the content of a message; its lifetime has already been determined.
    fileprivate init(_ fields: ControlFields) {
        self.init()
        hasNotification = fields.bool("has_notification") ?? false
        title = fields.text("title")
        body = fields.text("body")
        tag = fields.text("tag")
        clickAction = fields.text("click_action")
        category = fields.text("category")
        link = fields.text("link")
        image = fields.text("image")
        analyticsLabel = fields.text("analytics_label")
        collapseKey = fields.text("collapse_key")
        priority = fields.text("priority")
        timeToLive = fields.text("ttl")
        look = NotificationLook(fields)
        origin = MessageOrigin(fields)
        let entries = fields.value["data"]?.objectValue?.members ?? []
        data = entries.map { DataEntry(key: $0.key, value: $0.value.stringValue ?? "") }
    }
}

extension DeliveryCounts {
    fileprivate init(_ fields: ControlFields) throws(GoogleError) {
        self.init()
        for outcome in MessageOutcome.allCases where outcome != .pending {
            self[outcome] = try fields.count(outcome.rawValue)
        }
        // Older snapshots had these totals instead of one count per outcome.
        droppedTtlExpired += try fields.count("dropped")
        nothingForPlatform += try fields.count("nothing_for_platform")
    }
}
