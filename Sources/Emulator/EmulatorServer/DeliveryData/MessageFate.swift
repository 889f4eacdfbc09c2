import DeliveryModel

/// What became of one message on one device.
struct MessageFate {
    let id: MessageID
    let acceptedAt: DeliveryMoment
    let label: String?
    let outcome: MessageOutcome
    /// Of a message that was delivered: what held it back, if anything did.
    let delay: MessageDelay
    let isNotification: Bool
    /// Whether the system showed it.
    let isShown: Bool
    /// Whether its notification was tapped.
    let isOpened: Bool
    let isPriorityLowered: Bool
}

extension DeviceInbox {
    /// The fates of the messages that the device remembers: the newest 1,000 that it received, all
    /// that wait, and the newest 100 that it will not get.
    var fates: [MessageFate] {
        received.map { MessageFate($0) } + waiting.map { MessageFate($0) }
            + dropped.map { MessageFate($0) }
    }
}

extension MessageFate {
    fileprivate init(_ message: ReceivedMessage) {
        self.init(
            id: message.id,
            acceptedAt: message.acceptedAt,
            label: message.content.analyticsLabel,
            outcome: .delivered,
            delay: message.delay,
            isNotification: message.content.hasNotification,
            isShown: message.manner == .tray,
            isOpened: message.openedAt != nil,
            isPriorityLowered: message.isPriorityLowered
        )
    }

    fileprivate init(_ message: WaitingMessage) {
        self.init(message.id, message.content, message.acceptedAt, .pending)
    }

    fileprivate init(_ message: DroppedMessage) {
        self.init(message.id, message.content, message.acceptedAt, message.outcome)
    }

    private init(
        _ id: MessageID,
        _ content: MessageContent,
        _ acceptedAt: DeliveryMoment,
        _ outcome: MessageOutcome
    ) {
        self.init(
            id: id,
            acceptedAt: acceptedAt,
            label: content.analyticsLabel,
            outcome: outcome,
            delay: .deliveredNoDelay,
            isNotification: content.hasNotification,
            isShown: false,
            isOpened: false,
            isPriorityLowered: false
        )
    }
}
