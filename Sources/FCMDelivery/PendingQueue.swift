/// A message that waits for its device.
struct PendingMessage {
    let id: MessageID
    let shared: SharedContent
    let expiresAt: DeliveryMoment
}

/// What waits for one device, in the order of acceptance.
///
/// Storing is O(1) on average: a replaced message leaves a gap, and the queue is looked through
/// for expired messages only when one has expired.
struct PendingQueue {
    private var slots: [PendingMessage?] = []
    private var slotOfCollapseKey: [String: Int] = [:]
    private var nextExpiry = DeliveryMoment(milliseconds: .max)
    private(set) var count = 0

    var messages: [PendingMessage] { slots.compactMap(\.self) }

    /// Stores a message; true where it replaced one with the same collapse key.
    mutating func store(_ message: PendingMessage) -> Bool {
        var replaced = false
        if let key = message.shared.content.collapseKey {
            if let slot = slotOfCollapseKey[key] {
                slots[slot] = nil
                count -= 1
                replaced = true
            }
            slotOfCollapseKey[key] = slots.count
        }
        slots.append(message)
        count += 1
        nextExpiry = min(nextExpiry, message.expiresAt)
        if slots.count > 2 * count + 16 { rebuild(keeping: { _ in true }) }
        return replaced
    }

    /// Removes what is past its life, and says how many that were.
    mutating func removeExpired(at now: DeliveryMoment) -> Int {
        guard now >= nextExpiry else { return 0 }
        let before = count
        rebuild { $0.expiresAt > now }
        return before - count
    }

    mutating func removeAll() -> [PendingMessage] {
        let messages = messages
        self = PendingQueue()
        return messages
    }

    private mutating func rebuild(keeping isKept: (PendingMessage) -> Bool) {
        let kept = slots.compactMap(\.self).filter(isKept)
        slots = kept
        count = kept.count
        slotOfCollapseKey = [:]
        nextExpiry = DeliveryMoment(milliseconds: .max)
        for (slot, message) in kept.enumerated() {
            if let key = message.shared.content.collapseKey { slotOfCollapseKey[key] = slot }
            nextExpiry = min(nextExpiry, message.expiresAt)
        }
    }
}
