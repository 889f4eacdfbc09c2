/// A message that reached an app instance.
package struct ReceivedMessage: Sendable {
    package enum Manner: String, Hashable, CaseIterable, Sendable {
        /// Shown by the system: the app was in the background and the message has a notification.
        case tray
        /// Passed to the app's code.
        case callback
    }

    package enum TrayState: String, Hashable, CaseIterable, Sendable {
        /// The notification is in the tray, or was never shown there.
        case showing
        /// A notification with the same tag replaced it.
        case replaced
        case opened
        /// The app was removed or stopped, or newer notifications filled the tray.
        case gone
    }

    package let id: MessageID
    package let acceptedAt: DeliveryMoment
    package let receivedAt: DeliveryMoment
    /// The time when the user tapped the notification and the app received its data.
    package internal(set) var openedAt: DeliveryMoment?
    package let manner: Manner
    package internal(set) var trayState = TrayState.showing
    /// The reason for the delay, if any.
    package let delay: MessageDelay
    /// Whether the message was sent with high priority and delivered with normal priority
    /// (`priorityLowered` in Google's insights).
    package let isPriorityLowered: Bool
    let shared: SharedContent

    package var content: MessageContent { shared.content }

    init(_ message: PendingMessage, at now: DeliveryMoment, manner: Manner) {
        id = message.id
        acceptedAt = message.acceptedAt
        receivedAt = now
        self.manner = manner
        delay = message.delay
        isPriorityLowered = message.isLowered
        shared = message.shared
    }

    package init(
        id: MessageID,
        acceptedAt: DeliveryMoment,
        receivedAt: DeliveryMoment,
        openedAt: DeliveryMoment? = nil,
        manner: Manner,
        trayState: TrayState = .showing,
        delay: MessageDelay = .deliveredNoDelay,
        isPriorityLowered: Bool = false,
        content: MessageContent
    ) {
        self.id = id
        self.acceptedAt = acceptedAt
        self.receivedAt = receivedAt
        self.openedAt = openedAt
        self.manner = manner
        self.trayState = trayState
        self.delay = delay
        self.isPriorityLowered = isPriorityLowered
        shared = SharedContent(content)
    }
}
