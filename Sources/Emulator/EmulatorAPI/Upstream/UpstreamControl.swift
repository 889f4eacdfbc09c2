import DeliveryModel
import JSON

/// The effect of a request on the messages of devices to their app servers.
enum UpstreamEffect: Sendable {
    case send(UpstreamContent, from: String)
    case acknowledge(UpstreamKey)
    case drain
}

extension DeliveryBackend {
    mutating func perform(_ effect: UpstreamEffect, at now: DeliveryMoment) {
        switch effect {
        case .send(let content, let name): sendUpstream(content, from: name, at: now)
        case .acknowledge(let key): acknowledgeUpstream(key, at: now)
        case .drain: drainAppServers()
        }
    }

    /// Decides `POST /emulator/v1/devices/{name}/upstream`: the app calls `sendMessage`.
    func decideUpstream(
        from name: String,
        for request: EmulatorRequest,
        sequence: Int
    ) throws(GoogleError) -> Decision {
        let device = try known(name, for: request)
        let fields = ControlFields(.object(try request.object(as: .upstreamSend)), at: "")
        if let refusal = upstreamRefusal(of: name) {
            throw .control("", because: refusal.explanation(on: name))
        }
        let call = UpstreamCall(
            message: fields.value["message"]?.objectValue ?? [:],
            to: fields.text("to"),
            id: fields.text("message_id") ?? "m-\(sequence)",
            timeToLive: fields.value["time_to_live"]?.integerValue
                ?? UpstreamRules.timeToLive.upperBound
        )
        let category = fields.text("category") ?? device.packageName ?? Self.anyApp
        let content = UpstreamContent(call, category: category, sender: upstreamSender)
        var answer: JSONObject = [
            "message_id": .string(content.id), "category": .string(content.category),
            "connected": .bool(hasUpstreamConnection(name)),
        ]
        answer["to"] = content.to.map { .string($0.text) }
        return Decision(
            answer: .success(.object(answer)),
            effect: .control(.upstream(.send(content, from: name)))
        )
    }

    /// The app of devices without a package.
    private static let anyApp = "com.example.app"

    /// Decides `POST /emulator/v1/upstream/acknowledgements`.
    func decideAcknowledgement(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        let fields = ControlFields(
            .object(try request.object(as: .upstreamAcknowledgement)),
            at: ""
        )
        let key = UpstreamKey(
            registration: try fields.name("registration"),
            id: try fields.name("message_id")
        )
        guard let delivery = upstreamQueue.delivery(for: key) else {
            throw fields.refusal(
                of: "message_id",
                because: "No message of the registration with this ID is unacknowledged."
            )
        }
        return Decision(
            answer: .success(["device": .string(delivery.device)]),
            effect: .control(.upstream(.acknowledge(key)))
        )
    }
}

extension UpstreamRefusal {
    fileprivate func explanation(on device: String) -> String {
        switch self {
        case .onWeb: "Web apps cannot send messages: device \(device) is a browser."
        case .notInstalled: "The app is not installed on device \(device)."
        case .tooManyMessages:
            "\(UpstreamRules.openMessages) messages are unfinished, the emulator's limit."
        }
    }
}

extension MessageShape {
    /// The arguments of `sendMessage`, and the category that FCM adds.
    static let upstreamSend = MessageShape(
        "herald.UpstreamSend",
        fields: [
            ("message", .freeObject), ("to message_id category", .string),
            ("time_to_live", .int32),
        ]
    )

    static let upstreamAcknowledgement = MessageShape(
        "herald.UpstreamAcknowledgement",
        fields: [("registration message_id", .string)]
    )
}
