/// Everything about one device, so that it can be put back.
package struct DeviceSnapshot: Sendable {
    package var specification: DeviceSpecification
    package var device: Device
    /// What the app asserts when it gets a registration.
    package var ownTopics: [TopicName]
    package var events: [DeviceEvent]
    /// How many messages came before those that are remembered.
    package var forgotten: Int
    package var received: [ReceivedMessage]
    package var pending: [StoredMessage]
    package var counts: DeliveryCounts

    package init(
        specification: DeviceSpecification,
        device: Device,
        ownTopics: [TopicName],
        events: [DeviceEvent],
        forgotten: Int,
        received: [ReceivedMessage],
        pending: [StoredMessage],
        counts: DeliveryCounts
    ) {
        self.specification = specification
        self.device = device
        self.ownTopics = ownTopics
        self.events = events
        self.forgotten = forgotten
        self.received = received
        self.pending = pending
        self.counts = counts
    }
}

/// A message that waits for its device.
package struct StoredMessage: Sendable {
    package let id: MessageID
    package let content: MessageContent
    package let expiresAt: DeliveryMoment

    package init(id: MessageID, content: MessageContent, expiresAt: DeliveryMoment) {
        self.id = id
        self.content = content
        self.expiresAt = expiresAt
    }
}
