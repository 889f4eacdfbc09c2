package import JSON

/// A message that FCM passes on to an app server until it is acknowledged.
package struct UpstreamDelivery: Hashable, Sendable {
    package let number: Int
    /// The position in the order in which FCM accepted messages.
    ///
    /// It differs from the order of the numbers, because messages wait on devices that are offline.
    package fileprivate(set) var place: Int
    package let content: UpstreamContent
    package let from: DeviceRegistration
    /// The device that sent it.
    package let device: String

    package init(
        number: Int,
        content: UpstreamContent,
        from registration: DeviceRegistration,
        device: String
    ) {
        self.number = number
        place = number
        self.content = content
        from = registration
        self.device = device
    }

    /// The JSON of the stanza.
    package var json: JSONObject { content.json(from: from) }

    /// What an acknowledgement names.
    package var key: UpstreamKey { UpstreamKey(registration: from.text, id: content.id) }
}

package struct UpstreamKey: Hashable, Sendable {
    package let registration: String
    package let id: String

    package init(registration: String, id: String) {
        self.registration = registration
        self.id = id
    }
}

/// FCM's side of a project: the messages that its app servers have not acknowledged.
package struct UpstreamQueue: Sendable {
    private var deliveries: [Int: UpstreamDelivery] = [:]
    /// The numbers by place, some of which are finished.
    private var order: [(place: Int, number: Int)] = []
    private var lastPlace = 0
    /// Oldest first: a device may use an ID twice.
    private var numbers: [UpstreamKey: [Int]] = [:]

    package init() {}

    /// An empty queue that continues the places of another one, to which connections refer.
    init(after other: Self) { lastPlace = other.lastPlace }

    package var count: Int { deliveries.count }

    mutating func add(_ delivery: UpstreamDelivery) {
        lastPlace += 1
        var delivery = delivery
        delivery.place = lastPlace
        deliveries[delivery.number] = delivery
        order.append((lastPlace, delivery.number))
        numbers[delivery.key, default: []].append(delivery.number)
    }

    /// Returns the removed message.
    @discardableResult
    mutating func remove(_ number: Int) -> UpstreamDelivery? {
        guard let delivery = deliveries.removeValue(forKey: number) else { return nil }
        numbers[delivery.key]?.removeAll { $0 == number }
        if numbers[delivery.key]?.isEmpty == true { numbers[delivery.key] = nil }
        if order.count > 2 * deliveries.count + 1_024 {
            order.removeAll { deliveries[$0.number] == nil }
        }
        return delivery
    }

    mutating func removeAll(of device: String) {
        for entry in order where deliveries[entry.number]?.device == device {
            remove(entry.number)
        }
    }

    /// Returns the oldest unacknowledged message with a key.
    package func delivery(for key: UpstreamKey) -> UpstreamDelivery? {
        numbers[key]?.first.flatMap { deliveries[$0] }
    }

    /// Returns up to `limit` messages for a sender after a place, and the place of the last message
    /// that was looked at.
    package func deliveries(
        after place: Int,
        for sender: String,
        limit: Int
    ) -> (found: [UpstreamDelivery], through: Int) {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle].place <= place { low = middle + 1 } else { high = middle }
        }
        var found: [UpstreamDelivery] = []
        var through = place
        for entry in order[low...] {
            guard found.count < limit else { break }
            through = entry.place
            guard let delivery = deliveries[entry.number] else { continue }
            if let to = delivery.content.to, to.sender != sender { continue }
            found.append(delivery)
        }
        return (found, through)
    }
}
