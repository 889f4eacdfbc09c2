import DeliveryModel

/// The outcome of one message on one device.
struct MessageFate {
    let id: MessageID
    let acceptedAt: DeliveryMoment
    let label: String?
    let outcome: MessageOutcome
    /// The reason for the delay of a delivered message, if any.
    let delay: MessageDelay
    let isNotification: Bool
    /// Whether the system showed the notification.
    let isShown: Bool
    /// Whether the user tapped the notification.
    let isOpened: Bool
    let isPriorityLowered: Bool
}

extension DeviceInbox {
    /// The outcomes of the device's stored messages: the newest 1,000 received, all waiting, and
    /// the newest 100 dropped messages.
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
        self.init(
            id: message.id,
            content: message.content,
            acceptedAt: message.acceptedAt,
            outcome: .pending
        )
    }

    fileprivate init(_ message: DroppedMessage) {
        self.init(
            id: message.id,
            content: message.content,
            acceptedAt: message.acceptedAt,
            outcome: message.outcome
        )
    }

    private init(
        id: MessageID,
        content: MessageContent,
        acceptedAt: DeliveryMoment,
        outcome: MessageOutcome
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
