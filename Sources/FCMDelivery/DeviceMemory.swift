/// What became of the messages for one device; every attempt is counted once.
package struct DeliveryCounts: Hashable, Sendable {
    /// Past their life, or for an app that is gone.
    package internal(set) var dropped = 0
    /// Replaced by a newer message with the same collapse key.
    package internal(set) var collapsed = 0
    /// Messages whose only content was for other platforms.
    package internal(set) var nothingForPlatform = 0
}

/// What one device received and what waits for it.
package struct DeviceInbox: Sendable {
    package let device: Device
    package let received: [ReceivedMessage]
    package let pending: Int
    package let counts: DeliveryCounts
}

/// A device, what it received and what waits for it.
struct DeviceMemory {
    var specification: DeviceSpecification
    var device: Device
    private var received: [ReceivedMessage] = []
    private var queue = PendingQueue()
    private var counts = DeliveryCounts()

    init(_ specification: DeviceSpecification) {
        self.specification = specification
        device = Device(specification)
    }

    var inbox: DeviceInbox {
        DeviceInbox(device: device, received: received.newest, pending: queue.count, counts: counts)
    }

    mutating func take(_ message: EffectiveMessage, id: MessageID, at now: DeliveryMoment) {
        expire(at: now)
        let shared = message.shared(for: device.platform)
        if shared.content.isEmpty && !message.isEmptyForAll {
            counts.nothingForPlatform += 1
        } else if device.isOnline {
            attempt(id: id, shared, at: now)
        } else {
            store(id: id, shared, at: now)
        }
    }

    mutating func apply(_ change: DeviceChange, at now: DeliveryMoment) {
        expire(at: now)
        if let isOnline = change.isOnline { device.isOnline = isOnline }
        if let isInForeground = change.isInForeground { device.isInForeground = isInForeground }
        if let isInstalled = change.isInstalled { device.isInstalled = isInstalled }
        guard device.isOnline else { return }
        for message in queue.removeAll() { attempt(id: message.id, message.shared, at: now) }
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
        if queue.store(message) { counts.collapsed += 1 }
    }

    private mutating func attempt(id: MessageID, _ shared: SharedContent, at now: DeliveryMoment) {
        guard device.isInstalled else {
            counts.dropped += 1
            device.isRegistered = false
            return
        }
        let isShown = shared.content.hasNotification && !device.isInForeground
        received.makeRoom()
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
