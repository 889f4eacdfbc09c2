/// A message that waits for its device.
struct PendingMessage: Sendable {
    let id: MessageID
    let shared: SharedContent
    /// What a newer message must have to take its place; nil for one that all wait beside.
    let key: String?
    let acceptedAt: DeliveryMoment
    let expiresAt: DeliveryMoment
    /// When there is room for it below the device's rate.
    var rateUntil: DeliveryMoment
    /// Until when it waits for an app in the background.
    var backgroundUntil: DeliveryMoment
    /// What was in its way first.
    var delay: MessageDelay
    var isHigh: Bool
    var isLowered: Bool
}

/// What waits for one device, in the order of acceptance.
struct PendingQueue: Sendable {
    private(set) var messages: [PendingMessage] = []

    var count: Int { messages.count }

    /// Takes out the message with a key.
    mutating func remove(key: String) -> PendingMessage? {
        messages.firstIndex { $0.key == key }.map { messages.remove(at: $0) }
    }

    mutating func append(_ message: PendingMessage) {
        messages.append(message)
    }

    /// The keys that wait; one message waits with each.
    var keys: Int { messages.count { $0.key != nil } }

    var countWithoutKey: Int { messages.count { $0.key == nil } }

    /// Takes out the message whose key has waited longest.
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

    /// Takes out, in their order, all for which the condition holds.
    mutating func removeAll(where isTaken: (PendingMessage) -> Bool) -> [PendingMessage] {
        guard messages.contains(where: isTaken) else { return [] }
        let taken = messages.filter(isTaken)
        messages.removeAll(where: isTaken)
        return taken
    }

    /// Puts back what was taken out and goes on waiting.
    mutating func restore(_ messages: [PendingMessage]) {
        self.messages = messages
    }
}
