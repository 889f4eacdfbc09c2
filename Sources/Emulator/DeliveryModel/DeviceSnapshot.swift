/// The complete state of one device, for a restore.
package struct DeviceSnapshot: Sendable {
    package var specification: DeviceSpecification
    package var device: Device
    /// The topics that the app joins when it receives a registration.
    package var ownTopics: [TopicName]
    package var events: [DeviceEvent]
    /// Number of older messages that were discarded.
    package var forgotten: Int
    package var received: [ReceivedMessage]
    package var pending: [StoredMessage]
    package var counts: DeliveryCounts
    package var memory = DeliveryMemory()

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

/// The delivery state of a device, except for its messages.
package struct DeliveryMemory: Sendable {
    /// The numbers of the received messages in the tray, oldest first.
    package var tray: [Int] = []
    package var dropped: [DroppedMessage] = []
    package var collapsible = RateWindow(used: 0, asOf: DeliveryMoment(milliseconds: 0))
    package var rates = RateLog([])
    package var missedData: DeliveryMoment?
    package var owesNotice = false
    package var notices = 0
    package var lastNotice: DeliveryMoment?
    /// The time when APNs reports a removed app.
    package var noticeOfRemoval: DeliveryMoment?

    package init() {}
}

/// A message that waits for its device.
package struct StoredMessage: Sendable {
    package let id: MessageID
    package let content: MessageContent
    /// The collapse key; a newer message with the same key replaces this one.
    package let key: String?
    package let acceptedAt: DeliveryMoment
    package let expiresAt: DeliveryMoment
    package let rateUntil: DeliveryMoment
    package let backgroundUntil: DeliveryMoment
    package let delay: MessageDelay
    package let isPriorityLowered: Bool

    package init(
        id: MessageID,
        content: MessageContent,
        key: String?,
        acceptedAt: DeliveryMoment,
        expiresAt: DeliveryMoment,
        rateUntil: DeliveryMoment,
        backgroundUntil: DeliveryMoment,
        delay: MessageDelay,
        isPriorityLowered: Bool
    ) {
        self.id = id
        self.content = content
        self.key = key
        self.acceptedAt = acceptedAt
        self.expiresAt = expiresAt
        self.rateUntil = rateUntil
        self.backgroundUntil = backgroundUntil
        self.delay = delay
        self.isPriorityLowered = isPriorityLowered
    }
}

/// An unfinished fan-out.
package struct FanOutSnapshot: Sendable {
    package let id: MessageID
    package let contents: [DevicePlatform: MessageContent]
    package let isEmptyForAll: Bool
    package let packageName: String?
    package let isToTopic: Bool
    /// The names of the devices that the message has not reached, in order.
    package let recipients: [String]
    /// The time of the next deliveries, or nil if the fan-out has not started.
    package let next: DeliveryMoment?

    package init(
        id: MessageID,
        contents: [DevicePlatform: MessageContent],
        isEmptyForAll: Bool,
        packageName: String?,
        isToTopic: Bool,
        recipients: [String],
        next: DeliveryMoment?
    ) {
        self.id = id
        self.contents = contents
        self.isEmptyForAll = isEmptyForAll
        self.packageName = packageName
        self.isToTopic = isToTopic
        self.recipients = recipients
        self.next = next
    }
}
