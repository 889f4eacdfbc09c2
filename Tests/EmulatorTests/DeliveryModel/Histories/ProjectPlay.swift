import FCMWire
import JSON
import Testing

@testable import DeliveryModel

/// An action in a project with a few devices.
enum ProjectAction {
    case send(HistoryMessage, MessageTarget)
    case change(HistoryChange, String)
    case add(DeviceSpecification)
    case remove(String)
    case subscribe(DeviceRegistration, TopicName)
    case unsubscribe(DeviceRegistration, TopicName)
    /// A tap on the newest notification in a device's tray.
    case tap(String)
}

/// A model of all devices, driven by random actions.
struct ProjectPlay {
    private(set) var model = DeliveryBackend()
    private var sent = 0

    init(_ options: DeliveryOptions, at now: Int64) {
        model.set(options, at: DeliveryMoment(milliseconds: now))
    }

    mutating func perform(_ action: ProjectAction, at now: Int64) throws {
        let moment = DeliveryMoment(milliseconds: now)
        switch action {
        case .send(let message, let target):
            sent += 1
            let id = MessageID("\(sent)")
            _ = model.accept(EffectiveMessage(message.whole), id: id, for: target, at: moment)
        case .change(let change, let name):
            model.advance(to: moment)
            var foreseen = model.device(named: name)
            foreseen?.apply(change.change(at: now), at: moment)
            _ = model.setCondition(of: name, to: change.change(at: now), at: moment)
            let found = model.device(named: name)
            let isSame =
                foreseen.map { DeviceConditions($0) } == found.map { DeviceConditions($0) }
                && foreseen?.lastSeen == found?.lastSeen
            #expect(isSame, "\(change) has other results than predicted")
        case .add(let device): try model.seed([device], at: moment)
        case .remove(let name):
            model.advance(to: moment)
            _ = model.remove(name)
        case .subscribe(let device, let topic):
            _ = model.subscribe(device, to: topic, at: moment)
        case .unsubscribe(let device, let topic):
            model.advance(to: moment)
            _ = model.unsubscribe(device, from: topic)
        case .tap(let name):
            guard let inbox = model.inbox(of: name, at: moment), let number = inbox.tray.last,
                let shown = inbox.message(number)
            else { return }
            _ = model.tap(shown.id, on: name, at: moment)
        }
    }

    mutating func look(at now: Int64) { model.advance(to: DeliveryMoment(milliseconds: now)) }

    /// Replaces the model with one that is restored from its snapshot.
    mutating func restart(at now: Int64) {
        let moment = DeliveryMoment(milliseconds: now)
        let devices = model.snapshot(at: moment)
        let fanOuts = model.fanOutSnapshot()
        var restarted = DeliveryBackend()
        restarted.set(model.options, at: moment)
        restarted.restore(devices, fanOuts: fanOuts, at: moment)
        model = restarted
    }

    /// Returns all visible state of the devices and fan-outs.
    mutating func sight(at now: Int64) -> [Sight] {
        let inboxes = model.inboxes(at: DeliveryMoment(milliseconds: now))
        return inboxes.map { inbox in
            Sight(
                device: inbox.device,
                events: model.log(of: inbox.device.name)?.events ?? [],
                counts: inbox.counts,
                text: inbox.text,
                fanOuts: "\(model.fanOutCounts)"
            )
        }
    }

    struct Sight: Equatable {
        let device: Device
        let events: [DeviceEvent]
        let counts: DeliveryCounts
        let text: [String]
        let fanOuts: String
    }
}

extension DeviceInbox {
    fileprivate var text: [String] {
        let had = received.map { message in
            "\(message.id.text) at \(message.receivedAt.milliseconds) \(message.manner) "
                + "\(message.trayState) \(message.delay) \(message.isPriorityLowered) "
                + "\(message.openedAt?.milliseconds ?? 0)"
        }
        let waits = waiting.map { "\($0.id.text) \($0.reason) \($0.expiresAt.milliseconds)" }
        let gone = dropped.map { "\($0.id.text) \($0.outcome) \($0.droppedAt.milliseconds)" }
        return had + waits + gone + ["\(tray)", "notices \(deletedMessages)"]
    }
}

extension HistoryMessage {
    /// The message in the sender's form.
    fileprivate var whole: PushMessage {
        var message = PushMessage()
        message.android = AndroidBlock()
        message.android?.collapseKey = collapseKey
        message.android?.priority = urgent ? "HIGH" : nil
        message.android?.timeToLive = seconds.flatMap { DurationText("\($0)s") }
        message.apns = ApnsBlock()
        if let collapseKey { message.apns?.headers = ["apns-collapse-id": collapseKey] }
        if shows { message.notification = ["title": "High water"] }
        if !shows, !isPing, !isForOthers { message.data = ["a": "1"] }
        if let trayTag, shows { message.android?.notification = ["tag": .string(trayTag)] }
        if isForOthers {
            message.webpush = WebpushBlock()
            message.webpush?.data = ["for": "browsers"]
        }
        return message
    }
}
