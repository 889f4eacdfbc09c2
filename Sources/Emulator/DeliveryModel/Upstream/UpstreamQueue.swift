package import JSON

/// A message that FCM passes on to an app server until it is acknowledged.
package struct UpstreamDelivery: Hashable, Sendable {
    package let number: Int
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
    /// The numbers in order, some of which are finished.
    private var order: [Int] = []
    /// Oldest first: a device may use an ID twice.
    private var numbers: [UpstreamKey: [Int]] = [:]

    package init() {}

    package var count: Int { deliveries.count }

    mutating func add(_ delivery: UpstreamDelivery) {
        deliveries[delivery.number] = delivery
        order.append(delivery.number)
        numbers[delivery.key, default: []].append(delivery.number)
    }

    /// Returns the removed message.
    @discardableResult
    mutating func remove(_ number: Int) -> UpstreamDelivery? {
        guard let delivery = deliveries.removeValue(forKey: number) else { return nil }
        numbers[delivery.key]?.removeAll { $0 == number }
        if numbers[delivery.key]?.isEmpty == true { numbers[delivery.key] = nil }
        if order.count > 2 * deliveries.count + 1_024 {
            order.removeAll { deliveries[$0] == nil }
        }
        return delivery
    }

    mutating func removeAll(of device: String) {
        for number in order where deliveries[number]?.device == device { remove(number) }
    }

    /// Returns the oldest unacknowledged message with a key.
    package func delivery(for key: UpstreamKey) -> UpstreamDelivery? {
        numbers[key]?.first.flatMap { deliveries[$0] }
    }

    /// Returns up to `limit` messages for a sender with numbers above `number`, in order.
    package func deliveries(
        after number: Int,
        for sender: String,
        limit: Int
    ) -> [UpstreamDelivery] {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle] <= number { low = middle + 1 } else { high = middle }
        }
        var found: [UpstreamDelivery] = []
        for number in order[low...] {
            guard found.count < limit else { break }
            guard let delivery = deliveries[number] else { continue }
            if let to = delivery.content.to, to.sender != sender { continue }
            found.append(delivery)
        }
        return found
    }
}
