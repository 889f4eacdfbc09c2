import DeliveryModel
import FCMWire
import JSON
import Testing

extension ModelBench {
    /// Sends data with a priority and further optional settings.
    @discardableResult
    mutating func data(
        _ priority: String? = nil,
        ttl: String? = nil,
        key: String? = nil,
        at seconds: Int64
    ) throws -> DeliveryOutcome {
        var message = PushMessage.data(ttl: ttl, collapse: key)
        message.android?.priority = priority
        return try send(message, at: seconds)
    }

    func outcome(_ id: String, in inbox: DeviceInbox) -> MessageOutcome? {
        if inbox.received.contains(where: { $0.id.text == id }) { return .delivered }
        if inbox.waiting.contains(where: { $0.id.text == id }) { return .pending }
        return inbox.dropped.first { $0.id.text == id }?.outcome
    }

    mutating func outcomes(at seconds: Int64) throws -> [MessageOutcome?] {
        let inbox = try inbox(at: seconds)
        return (1...sentCount).map { outcome("\($0)", in: inbox) }
    }

    mutating func reasons(at seconds: Int64) throws -> [MessageDelay] {
        try inbox(at: seconds).waiting.map(\.reason)
    }
}

let day: Int64 = 86_400
