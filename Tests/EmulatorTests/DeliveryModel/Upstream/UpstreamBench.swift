import DeliveryModel
import JSON
import Testing

/// One device's messages to its app server, with times in seconds.
struct UpstreamBench {
    private(set) var outbox = UpstreamOutbox()
    var project = UpstreamRate()
    let platform: DevicePlatform
    private var number = 0

    init(_ platform: DevicePlatform = .android) {
        self.platform = platform
    }

    @discardableResult
    mutating func take(
        _ event: UpstreamOutbox.Event,
        at seconds: Int64
    ) -> [UpstreamOutbox.Command] {
        outbox.take(event, at: second(seconds), in: &project)
    }

    @discardableResult
    mutating func send(
        _ id: String,
        to address: String? = "1029384756@gcm.googleapis.com",
        message: JSONObject = ["answer": "yes"],
        timeToLive: Int64 = 3_600,
        at seconds: Int64 = 0,
        atMilliseconds milliseconds: Int64? = nil
    ) -> [UpstreamOutbox.Command] {
        number += 1
        let content = UpstreamContent(
            UpstreamCall(message: message, to: address, id: id, timeToLive: timeToLive),
            category: "com.example.yourapp"
        )
        return outbox.take(
            .send(content, number: number, on: platform),
            at: milliseconds.map { DeliveryMoment(milliseconds: $0) } ?? second(seconds),
            in: &project
        )
    }

    @discardableResult
    mutating func connect(at seconds: Int64) throws -> [UpstreamOutbox.Command] {
        take(.connected(try registration("REGID")), at: seconds)
    }

    /// The state of the message with an ID.
    func state(_ id: String) throws -> UpstreamMessage.State {
        try message(id).state
    }

    func message(_ id: String) throws -> UpstreamMessage {
        try #require(outbox.messages.first { $0.content.id == id })
    }

    func failures() -> [ClientFailure] {
        outbox.messages.compactMap { message in
            if case .failed(let failure, _) = message.state { failure } else { nil }
        }
    }
}

extension [UpstreamOutbox.Command] {
    /// The IDs of the messages that are passed on, in order.
    var delivered: [String] {
        compactMap { if case .deliver(_, let content, _) = $0 { content.id } else { nil } }
    }

    /// The causes in the calls of the app's observers; nil for a success.
    var causes: [ClientFailure?] {
        flatMap { command -> [ClientFailure?] in
            if case .call(let callback, _) = command { [callback.failure] } else { [] }
        }
    }

    /// The IDs in the calls of the app's observers, in order.
    var called: [String] {
        compactMap { if case .call(_, let id) = $0 { id } else { nil } }
    }
}
