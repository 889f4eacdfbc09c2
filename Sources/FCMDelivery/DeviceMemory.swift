/// What became of the messages for one device; every attempt is counted once.
package struct DeliveryCounts: Hashable, Sendable {
    /// Past their life, for an app that is gone, or the oldest of more than are stored.
    package var dropped = 0
    /// Replaced by a newer message with the same collapse key.
    package var collapsed = 0
    /// Messages whose only content was for other platforms.
    package var nothingForPlatform = 0

    package init() {}
}

/// What one device received and what waits for it.
package struct DeviceInbox: Sendable {
    package let device: Device
    /// How many messages came before those that are remembered.
    package let forgotten: Int
    package let received: [ReceivedMessage]
    package let pending: Int
    package let counts: DeliveryCounts
}

/// A device, what it received and what waits for it.
struct DeviceMemory {
    var specification: DeviceSpecification
    var device: Device
    private(set) var isGap = false
    /// What the app asks for whenever it has a registration: its own topics as it was seeded, and
    /// what it subscribed to since by itself.
    var ownTopics: Set<TopicName>
    private var events: [DeviceEvent] = []
    private var forgottenEvents = 0
    private var waitingCalls: [WaitingCall] = []
    private var received: [ReceivedMessage] = []
    private var forgotten = 0
    private var queue = PendingQueue()
    /// What came for an Apple device; only where a limit is set.
    var appleRate = RateWindow()
    private var counts = DeliveryCounts()

    /// A call of the app's that has not ended, and the number of its event.
    typealias WaitingCall = (event: Int, call: ClientCall, at: DeliveryMoment)

    /// So many events are remembered, and as many calls can wait: what is older stands in the
    /// request log.
    static let eventLimit = 1_000

    /// Takes the place of a device that was removed.
    static let gap: DeviceMemory = {
        let nobody = DeviceSpecification(name: "", platform: .android, registration: nil)
        var memory = DeviceMemory(nobody)
        memory.isGap = true
        return memory
    }()

    init(_ specification: DeviceSpecification) {
        self.specification = specification
        device = Device(specification)
        ownTopics = Set(specification.topics)
    }

    var inbox: DeviceInbox {
        let newest = received.newest
        return DeviceInbox(
            device: device,
            forgotten: forgotten + received.count - newest.count,
            received: newest,
            pending: queue.count,
            counts: counts
        )
    }

    mutating func take(
        _ contents: inout PlatformContents,
        id: MessageID,
        at now: DeliveryMoment
    ) {
        expire(at: now)
        let shared = contents.content(for: device.platform)
        if shared.content.isEmpty && !contents.message.isEmptyForAll {
            counts.nothingForPlatform += 1
        } else if device.isOnline {
            attempt(id: id, shared, at: now)
        } else {
            store(id: id, shared, at: now)
        }
    }

    mutating func apply(_ change: DeviceChange, at now: DeliveryMoment) {
        expire(at: now)
        if let isOnline = change.isOnline, isOnline != device.isOnline {
            device.isOnline = isOnline
            add(DeviceEvent(isOnline ? .online : .offline, at: now))
        }
        if let isInForeground = change.isInForeground, isInForeground != device.isInForeground {
            device.isInForeground = isInForeground
            add(DeviceEvent(isInForeground ? .foreground : .background, at: now))
        }
        if let isInstalled = change.isInstalled, isInstalled != device.isInstalled {
            device.isInstalled = isInstalled
            add(DeviceEvent(isInstalled ? .installed : .uninstalled, at: now))
            failWaitingCalls(at: now)
        }
        guard device.isOnline else { return }
        for message in queue.removeAll() { attempt(id: message.id, message.shared, at: now) }
    }

    /// What is remembered of what happened, the oldest first.
    var log: DeviceLog {
        let newest = events.suffix(Self.eventLimit)
        return DeviceLog(
            forgotten: forgottenEvents + events.count - newest.count,
            events: Array(newest)
        )
    }

    var hasRoomForCall: Bool { waitingCalls.count < Self.eventLimit }

    mutating func add(_ event: DeviceEvent) {
        if events.count >= 2 * Self.eventLimit {
            forgottenEvents += Self.eventLimit
            events.removeFirst(Self.eventLimit)
        }
        events.append(event)
    }

    mutating func add(_ call: ClientCall, at now: DeliveryMoment) {
        add(DeviceEvent(call, at: now))
        waitingCalls.append((forgottenEvents + events.count, call, now))
    }

    mutating func takeWaitingCalls() -> [WaitingCall] {
        defer { waitingCalls = [] }
        return waitingCalls
    }

    mutating func complete(_ event: Int, _ completion: ClientCompletion) {
        guard event > forgottenEvents else { return }
        events[event - forgottenEvents - 1].completion = completion
    }

    private mutating func failWaitingCalls(at now: DeliveryMoment) {
        for waiting in takeWaitingCalls() {
            complete(waiting.event, .failed(.uninstalled, at: now))
        }
    }

    mutating func dropPending(at now: DeliveryMoment) {
        expire(at: now)
        counts.dropped += queue.removeAll().count
    }

    /// Drops what is past its life.
    ///
    /// Every other operation does it first, so that it makes no difference when, or whether,
    /// somebody looks.
    mutating func expire(at now: DeliveryMoment) {
        counts.dropped += queue.removeExpired(at: now)
    }

    private mutating func store(id: MessageID, _ shared: SharedContent, at now: DeliveryMoment) {
        guard let end = shared.content.life.end(from: now), end > now else {
            counts.dropped += 1
            return
        }
        let message = PendingMessage(id: id, shared: shared, expiresAt: end)
        switch queue.store(message) {
        case .added: break
        case .replaced: counts.collapsed += 1
        case .dropped: counts.dropped += 1
        }
    }

    private mutating func attempt(id: MessageID, _ shared: SharedContent, at now: DeliveryMoment) {
        guard device.isInstalled else {
            counts.dropped += 1
            device.isRegistered = false
            return
        }
        let isShown = shared.content.hasNotification && !device.isInForeground
        forgotten += received.makeRoom()
        received.append(
            ReceivedMessage(
                id: id,
                receivedAt: now,
                manner: isShown ? .tray : .callback,
                shared: shared
            )
        )
    }
}

extension DeviceMemory {
    init(_ snapshot: DeviceSnapshot) {
        specification = snapshot.specification
        device = snapshot.device
        ownTopics = Set(snapshot.ownTopics)
        for event in snapshot.events { add(event) }
        forgotten = snapshot.forgotten
        received = snapshot.received
        counts = snapshot.counts
        for (index, event) in snapshot.events.enumerated() where event.completion == .pending {
            let topic = event.topic ?? ""
            let call: ClientCall =
                event.kind == .subscribe ? .subscribe(topic) : .unsubscribe(topic)
            waitingCalls.append((index + 1, call, event.at))
        }
        for message in snapshot.pending {
            _ = queue.store(
                PendingMessage(
                    id: message.id,
                    shared: SharedContent(message.content),
                    expiresAt: message.expiresAt
                )
            )
        }
    }

    /// The calls that wait though their events are no longer remembered.
    private var forgottenCalls: [DeviceEvent] {
        waitingCalls.filter { $0.event <= forgottenEvents }.map { DeviceEvent($0.call, at: $0.at) }
    }

    var snapshot: DeviceSnapshot {
        let inbox = inbox
        return DeviceSnapshot(
            specification: specification,
            device: device,
            ownTopics: ownTopics.sorted { $0.text < $1.text },
            events: forgottenCalls + events,
            forgotten: inbox.forgotten,
            received: inbox.received,
            pending: queue.messages.map { message in
                StoredMessage(
                    id: message.id,
                    content: message.shared.content,
                    expiresAt: message.expiresAt
                )
            },
            counts: counts
        )
    }
}
