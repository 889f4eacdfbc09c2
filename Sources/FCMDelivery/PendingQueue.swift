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
    /// So many wait at most, so that memory does not grow with what is sent.
    static let limit = 1_000

    /// What became of a message that another one made room for.
    enum Storing {
        case added
        /// It had the same collapse key.
        case replaced
        /// It was the oldest of too many.
        case dropped
    }

    private var slots: [PendingMessage?] = []
    /// Before this slot there are gaps only.
    private var first = 0
    private var slotOfCollapseKey: [String: Int] = [:]
    private var nextExpiry = DeliveryMoment(milliseconds: .max)
    private(set) var count = 0

    var messages: [PendingMessage] { slots.compactMap(\.self) }

    mutating func store(_ message: PendingMessage) -> Storing {
        var storing = Storing.added
        if let key = message.shared.content.collapseKey {
            if let slot = slotOfCollapseKey[key] {
                slots[slot] = nil
                count -= 1
                storing = .replaced
            }
            slotOfCollapseKey[key] = slots.count
        }
        slots.append(message)
        count += 1
        nextExpiry = min(nextExpiry, message.expiresAt)
        if count > Self.limit {
            dropOldest()
            storing = .dropped
        }
        if slots.count > 2 * count + 16 { rebuild(keeping: { _ in true }) }
        return storing
    }

    private mutating func dropOldest() {
        while slots[first] == nil { first += 1 }
        if let key = slots[first]?.shared.content.collapseKey { slotOfCollapseKey[key] = nil }
        slots[first] = nil
        count -= 1
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
        first = 0
        count = kept.count
        slotOfCollapseKey = [:]
        nextExpiry = DeliveryMoment(milliseconds: .max)
        for (slot, message) in kept.enumerated() {
            if let key = message.shared.content.collapseKey { slotOfCollapseKey[key] = slot }
            nextExpiry = min(nextExpiry, message.expiresAt)
        }
    }
}
