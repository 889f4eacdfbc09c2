/// What one device received, what waits for it, and what it will not get.
package struct DeviceInbox: Sendable {
    package let device: Device
    /// Grows with every change of the device, over all devices of a model.
    package let revision: Int
    /// How many messages came before those that are remembered.
    package let forgotten: Int
    package let received: [ReceivedMessage]
    /// The numbers, from 1, of the received messages that are in the tray, the oldest first.
    package let tray: [Int]
    package let waiting: [WaitingMessage]
    /// The newest of those that were dropped or collapsed, the oldest first.
    package let dropped: [DroppedMessage]
    package let counts: DeliveryCounts
    /// How often the app was told that messages were discarded: calls of `onDeletedMessages`.
    package let deletedMessages: Int
    /// When the newest of these calls came.
    package let lastDeletedMessages: DeliveryMoment?

    package var pending: Int { waiting.count }

    /// The received message with a number.
    package func message(_ number: Int) -> ReceivedMessage? {
        let place = number - forgotten - 1
        return received.indices.contains(place) ? received[place] : nil
    }
}

extension DeviceMachine {
    /// What the machine has, as of `now`, to which it was advanced.
    package func inbox(
        of device: Device,
        revision: Int = 0,
        at now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> DeviceInbox {
        let traffic = traffic.value
        let newest = traffic.received.newest
        let forgotten = traffic.forgotten + traffic.received.count - newest.count
        return DeviceInbox(
            device: device,
            revision: revision,
            forgotten: forgotten,
            received: newest,
            tray: traffic.tray.filter { $0 > forgotten },
            waiting: waiting(at: now, under: options),
            dropped: traffic.dropped.suffix(Traffic.droppedLimit).map(\.self),
            counts: traffic.counts,
            deletedMessages: traffic.notices,
            lastDeletedMessages: traffic.lastNotice
        )
    }

    /// What waits, each with what is in its way.
    package func waiting(
        at now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> [WaitingMessage] {
        guard !traffic.isUntouched else { return [] }
        return traffic.value.queue.messages.map { message in
            WaitingMessage(
                id: message.id,
                content: message.shared.content,
                acceptedAt: message.acceptedAt,
                expiresAt: message.expiresAt,
                reason: hindrance(of: message, at: now, under: options) ?? message.delay
            )
        }
    }

    package var counts: DeliveryCounts { traffic.value.counts }
    package var received: [ReceivedMessage] { traffic.value.received.newest }
}
