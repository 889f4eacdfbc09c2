/// The received, waiting and dropped messages of one device.
package struct DeviceInbox: Sendable {
    package let device: Device
    /// The model's revision at the device's last change; it increases over all devices.
    package let revision: Int
    /// Number of older received messages that were discarded.
    package let forgotten: Int
    package let received: [ReceivedMessage]
    /// The numbers of the received messages in the tray, counted from 1, oldest first.
    package let tray: [Int]
    package let waiting: [WaitingMessage]
    /// The newest dropped or collapsed messages, oldest first.
    package let dropped: [DroppedMessage]
    package let counts: DeliveryCounts
    /// Number of calls of the app's `onDeletedMessages`.
    package let deletedMessages: Int
    /// The time of the last call of `onDeletedMessages`.
    package let lastDeletedMessages: DeliveryMoment?

    package var pending: Int { waiting.count }

    /// Returns the received message with a number.
    package func message(_ number: Int) -> ReceivedMessage? {
        let place = number - forgotten - 1
        return received.indices.contains(place) ? received[place] : nil
    }
}

extension DeviceMachine {
    /// Returns the machine's contents at `now`, to which the caller must have advanced it.
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
            dropped: traffic.dropped.suffix(Traffic.rememberedDrops).map(\.self),
            counts: traffic.counts,
            deletedMessages: traffic.notices,
            lastDeletedMessages: traffic.lastNotice
        )
    }

    /// Returns the waiting messages, each with the reason for its delay.
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
