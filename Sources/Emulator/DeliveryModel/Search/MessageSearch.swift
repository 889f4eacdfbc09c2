/// Conditions for messages on devices; nil allows everything.
package struct MessageQuery: Sendable {
    /// The places of the devices.
    package var places: [Int]?
    package var platform: DevicePlatform?
    package var id: MessageID?
    package var outcome: MessageOutcome?
    package var manner: ReceivedMessage.Manner?
    /// The times of acceptance.
    package var accepted: ClosedRange<DeliveryMoment>?
    /// Conditions for the content, evaluated once per message and platform.
    package var allows: @Sendable (MessageContent) -> Bool = { _ in true }

    package init() {}
}

/// A message on one device.
package struct FoundMessage: Sendable {
    package enum Fate: Sendable {
        /// `number` counts from 1 since the device was seeded.
        case received(ReceivedMessage, number: Int)
        case waiting(WaitingMessage)
        case dropped(DroppedMessage)
    }

    package let device: Device
    package let fate: Fate
}

extension DeliveryBackend {
    /// Returns a part of the messages that match, newest first, and the number of all matches.
    ///
    /// The caller must have advanced the model to `now`. Devices without messages cost almost
    /// nothing, and a content is examined once for all its recipients.
    package func search(
        _ query: MessageQuery,
        part: Range<Int>,
        at now: DeliveryMoment
    ) -> (messages: [FoundMessage], total: Int) {
        var search = MessageScan(query)
        if let places = query.places {
            for place in places where memories.indices.contains(place) {
                search.scan(memories[place], at: place)
            }
        } else {
            for place in memories.indices { search.scan(memories[place], at: place) }
        }
        let hits = search.hits.sorted()
        let shown = hits.dropFirst(part.lowerBound).prefix(part.count)
        return (shown.compactMap { message(at: $0, now: now) }, hits.count)
    }

    private func message(at hit: MessageHit, now: DeliveryMoment) -> FoundMessage? {
        let place = Int(hit.place)
        let index = Int(hit.index)
        let traffic = memories[place].machine.traffic.value
        let fate: FoundMessage.Fate
        switch hit.kind {
        case .received:
            let number = traffic.forgotten + index + 1
            fate = .received(traffic.received[index], number: number)
        case .waiting:
            let waiting = memories[place].machine.waiting(at: now, under: options)
            fate = .waiting(waiting[index])
        case .dropped: fate = .dropped(traffic.dropped[index])
        }
        return FoundMessage(device: device(at: place), fate: fate)
    }
}

/// The position of a matching message.
private struct MessageHit: Comparable {
    enum Kind: UInt8 {
        case received
        case waiting
        case dropped
    }

    let at: Int64
    let place: Int32
    let index: Int32
    let kind: Kind

    /// Newest first; at the same time, in the order of devices.
    static func < (left: MessageHit, right: MessageHit) -> Bool {
        if left.at != right.at { return left.at > right.at }
        if left.place != right.place { return left.place < right.place }
        return left.index > right.index
    }
}

/// One pass over the messages of all devices.
private struct MessageScan {
    private let query: MessageQuery
    private var verdicts: [ObjectIdentifier: Bool] = [:]
    private(set) var hits: [MessageHit] = []

    init(_ query: MessageQuery) {
        self.query = query
    }

    mutating func scan(_ memory: DeviceMemory, at place: Int) {
        guard !memory.machine.traffic.isUntouched, !memory.isGap else { return }
        guard query.platform == nil || query.platform == memory.platform else { return }
        let traffic = memory.machine.traffic.value
        if query.outcome == nil || query.outcome == .delivered {
            scanReceived(traffic, at: place)
        }
        guard query.manner == nil else { return }
        if query.outcome == nil || query.outcome == .pending {
            for (index, message) in traffic.queue.messages.enumerated()
            where takes(message.id, message.shared, acceptedAt: message.acceptedAt) {
                add(.waiting, at: message.acceptedAt, place: place, index: index)
            }
        }
        guard query.outcome != .delivered, query.outcome != .pending else { return }
        for (index, message) in traffic.dropped.enumerated()
        where query.outcome == nil || query.outcome == message.outcome {
            guard takes(message.id, message.shared, acceptedAt: message.acceptedAt) else {
                continue
            }
            add(.dropped, at: message.droppedAt, place: place, index: index)
        }
    }

    private mutating func scanReceived(_ traffic: Traffic, at place: Int) {
        for index in traffic.received.indices {
            let message = traffic.received[index]
            guard query.manner == nil || query.manner == message.manner else { continue }
            guard takes(message.id, message.shared, acceptedAt: message.acceptedAt) else {
                continue
            }
            add(.received, at: message.receivedAt, place: place, index: index)
        }
    }

    private mutating func add(
        _ kind: MessageHit.Kind,
        at moment: DeliveryMoment,
        place: Int,
        index: Int
    ) {
        hits.append(
            MessageHit(
                at: moment.milliseconds,
                place: Int32(place),
                index: Int32(index),
                kind: kind
            )
        )
    }

    private mutating func takes(
        _ id: MessageID,
        _ shared: SharedContent,
        acceptedAt: DeliveryMoment
    ) -> Bool {
        if let accepted = query.accepted, !accepted.contains(acceptedAt) { return false }
        if let wanted = query.id, wanted != id { return false }
        let key = ObjectIdentifier(shared)
        if let verdict = verdicts[key] { return verdict }
        let verdict = query.allows(shared.content)
        verdicts[key] = verdict
        return verdict
    }
}
