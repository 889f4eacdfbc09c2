import DeliveryModel
import FCMWire
import JSON

/// `DeliveryLoad DEVICES`: creates this many devices in 100 topics, four per device, and sends to a
/// condition.
///
/// Prints a JSON object of milliseconds and counts.
@main
struct DeliveryLoad {
    private var model = DeliveryBackend()
    private let count: Int
    private let start = DeliveryMoment(milliseconds: 1_800_000_000_000)
    private let topics = (0..<100).compactMap { TopicName("topic-\($0)") }

    private init(_ count: Int) {
        self.count = count
    }

    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
        var load = DeliveryLoad(count)
        try load.run()
    }

    private mutating func run() throws {
        let seeding = try measured { load in try load.seed() }
        let condition = try TopicCondition(
            "('topic-0' in topics || 'topic-1' in topics || 'topic-2' in topics "
                + "|| 'topic-3' in topics) && !('topic-4' in topics)"
        )
        let recipients = try measured { load in
            load.model.recipients(of: condition, at: load.start)
        }
        let delivery = try measured { load in load.send(condition) }
        let reading = try measured { load in load.read(recipients.result.map { Int($0) }) }
        let holders = read(Array(0..<count))
        let wide = try measured { load in try load.sendToNearlyAll() }
        print(
            """
            {"devices": \(count), "seeding_ms": \(seeding.milliseconds), \
            "recipients": \(recipients.result.count), \
            "set_ms": \(recipients.milliseconds), "delivery_ms": \(delivery.milliseconds), \
            "reading_ms": \(reading.milliseconds), "read": \(reading.result), \
            "holders": \(holders), \
            "wide_ms": \(wide.milliseconds), "wide": \(wide.result)}
            """
        )
    }

    private mutating func seed() throws {
        let filler = String(repeating: "x", count: 120)
        for first in stride(from: 0, to: count, by: 10_000) {
            let devices = (first..<min(first + 10_000, count)).map { number in
                DeviceSpecification(
                    name: "device-\(number)",
                    platform: number % 3 == 0 ? .apple : .android,
                    registration: DeviceRegistration("r\(number):APA91b\(filler)\(number)"),
                    isOnline: number % 4 != 0,
                    topics: (0..<4).map { topics[(number &* 7 + $0 &* 29 + number / 100) % 100] }
                )
            }
            try model.seed(devices, at: start)
        }
    }

    private mutating func send(_ condition: TopicCondition) {
        _ = model.accept(
            EffectiveMessage(message("High water")),
            id: MessageID("1"),
            for: .condition(condition),
            at: start
        )
        finish(from: start)
    }

    /// Advances the model's clock until the fan-outs have ended: 10,000 devices per second.
    private mutating func finish(from moment: DeliveryMoment) {
        var moment = moment
        while model.fanOutCounts.running > 0 {
            moment = moment.advanced(bySeconds: 1)
            model.advance(to: moment)
        }
    }

    /// Counts devices that have the message, delivered or stored; each is looked up by its name,
    /// which contains its order of creation.
    private mutating func read(_ devices: [Int]) -> Int {
        let moment = start.advanced(bySeconds: 1_000)
        return devices.count { number in
            guard let inbox = model.inbox(of: "device-\(number)", at: moment) else { return false }
            return !inbox.received.isEmpty || inbox.pending > 0
        }
    }

    private mutating func sendToNearlyAll() throws -> Int {
        let condition = try TopicCondition("!('topic-5' in topics) || 'topic-6' in topics")
        let moment = start.advanced(bySeconds: 2_000)
        let outcome = model.accept(
            EffectiveMessage(message("Low water")),
            id: MessageID("2"),
            for: .condition(condition),
            at: moment
        )
        finish(from: moment)
        guard case .accepted(let devices) = outcome else { return 0 }
        return devices
    }

    private func message(_ title: String) -> PushMessage {
        var message = PushMessage()
        message.notification = ["title": .string(title)]
        message.data = ["screen": "tides"]
        return message
    }

    private mutating func measured<Result>(
        _ body: (inout DeliveryLoad) throws -> Result
    ) throws -> (result: Result, milliseconds: Double) {
        let clock = ContinuousClock()
        let begin = clock.now
        let result = try body(&self)
        let span = (clock.now - begin).components
        let milliseconds = Double(span.seconds) * 1_000 + Double(span.attoseconds) / 1e15
        return (result, milliseconds)
    }
}
