/// A message that waits for its device.
struct PendingMessage: Sendable {
    let id: MessageID
    let shared: SharedContent
    /// The collapse key, or nil if the message replaces no other.
    let key: String?
    let acceptedAt: DeliveryMoment
    let expiresAt: DeliveryMoment
    /// The time when the device's rate has room for the message.
    var rateUntil: DeliveryMoment
    /// The time until which the message waits if the app is in the background.
    var backgroundUntil: DeliveryMoment
    /// The first reason for the delay.
    var delay: MessageDelay
    var isHigh: Bool
    var isLowered: Bool
}

/// The waiting messages of one device, in order of acceptance.
struct PendingQueue: Sendable {
    private(set) var messages: [PendingMessage] = []

    var count: Int { messages.count }

    /// Removes and returns the message with a key.
    mutating func remove(key: String) -> PendingMessage? {
        messages.firstIndex { $0.key == key }.map { messages.remove(at: $0) }
    }

    mutating func append(_ message: PendingMessage) {
        messages.append(message)
    }

    /// The number of waiting collapse keys; each key has one message.
    var keys: Int { messages.count { $0.key != nil } }

    var countWithoutKey: Int { messages.count { $0.key == nil } }

    /// Removes and returns the oldest message that has a collapse key.
    mutating func removeOldestKey() -> PendingMessage? {
        messages.firstIndex { $0.key != nil }.map { messages.remove(at: $0) }
    }

    mutating func removeOldest() -> PendingMessage? {
        messages.isEmpty ? nil : messages.removeFirst()
    }

    mutating func removeAll() -> [PendingMessage] {
        defer { messages = [] }
        return messages
    }

    /// Removes and returns all messages that match, in order.
    mutating func removeAll(where isTaken: (PendingMessage) -> Bool) -> [PendingMessage] {
        guard messages.contains(where: isTaken) else { return [] }
        let taken = messages.filter(isTaken)
        messages.removeAll(where: isTaken)
        return taken
    }

    /// Puts messages back that continue to wait.
    mutating func restore(_ messages: [PendingMessage]) {
        self.messages = messages
    }
}
