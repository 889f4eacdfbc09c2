package import DeliveryModel
import JSON

extension DeliveryBackend {
    /// Decides `PUT /emulator/v1/delivery-options`, which resets all options that the body omits.
    func decideOptions(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        let object = try request.object(as: .delivery)
        let options = try DeliveryOptions(ControlFields(.object(object), at: ""))
        return Decision(
            answer: .success(.object(options.json)),
            effect: .control(.setDelivery(options))
        )
    }
}

extension DeliveryOptions {
    /// Maximum delay of an option, in seconds: one day.
    package static let longestWait: Int64 = 86_400

    init(_ fields: ControlFields) throws(GoogleError) {
        self.init()
        topicPropagation = try fields.span("topic_propagation")
        backgroundDelay = try fields.span("background_delay")
        appleBackgroundDelay = try fields.span("apple_background_delay")
        if let text = fields.text("seed") {
            guard let seed = UInt64(text) else {
                throw fields.refusal(
                    of: "seed",
                    because: "It must be a whole number of at least 0."
                )
            }
            self.seed = seed
        }
        lowersPriority = fields.bool("lower_priority") ?? lowersPriority
        throttlesDevices = fields.bool("device_limits") ?? throttlesDevices
        fanOutRate = try fields.positive("fan_out_rate") ?? fanOutRate
        fanOutsAtOnce = try fields.positive("fan_outs") ?? fanOutsAtOnce
        if let text = fields.text("excess_fan_outs") {
            excess = Excess(rawValue: text.lowercased()) ?? excess
        }
    }

    /// The options in the form that `PUT /emulator/v1/delivery-options` accepts.
    var json: JSONObject {
        var members: JSONObject = [
            "topic_propagation": .string(Self.text(topicPropagation)),
            "background_delay": .string(Self.text(backgroundDelay)),
            "seed": .string(String(seed)),
            "lower_priority": .bool(lowersPriority),
            "device_limits": .bool(throttlesDevices),
            "fan_out_rate": .integer(Int64(fanOutRate)),
            "fan_outs": .integer(Int64(fanOutsAtOnce)),
            "excess_fan_outs": .string(excess.rawValue),
        ]
        if appleBackgroundDelay > 0 {
            members["apple_background_delay"] = .string(Self.text(appleBackgroundDelay))
        }
        return members
    }

    private static func text(_ milliseconds: Int64) -> String { "\(milliseconds / 1_000)s" }
}

extension ControlFields {
    /// Returns a field of whole seconds in milliseconds, or 0 if the field is missing.
    fileprivate func span(_ name: String) throws(GoogleError) -> Int64 {
        guard let text = text(name) else { return 0 }
        guard let seconds = DurationText(text)?.wholeSeconds,
            (0...DeliveryOptions.longestWait).contains(seconds)
        else {
            throw refusal(
                of: name,
                because: "It must be from 0s to \(DeliveryOptions.longestWait)s."
            )
        }
        return seconds * 1_000
    }

    fileprivate func positive(_ name: String) throws(GoogleError) -> Int? {
        guard value[name] != nil else { return nil }
        let number = try count(name)
        guard number > 0 else { throw refusal(of: name, because: "It must be at least 1.") }
        return number
    }
}
