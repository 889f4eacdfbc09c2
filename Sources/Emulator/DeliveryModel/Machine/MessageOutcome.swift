/// The outcome of a message for one device.
///
/// Each message has exactly one outcome at a time. The names are Google's if it has one (Firebase
/// documentation, Understanding message delivery, Aggregated delivery data).
package enum MessageOutcome: String, Hashable, CaseIterable, Sendable {
    case delivered
    /// The message waits.
    case pending
    /// A newer message with the same collapse key replaced it, or one with a fifth key displaced
    /// it.
    case collapsed
    case droppedTtlExpired
    /// Too many messages waited, and FCM discarded all of them.
    case droppedTooManyPendingMessages
    /// The device was silent for more than a month.
    case droppedDeviceInactive
    case droppedAppForceStopped
    /// The app was not installed at the attempt; not a Google name.
    case droppedUninstalled
    /// The registration was deleted or expired while the message waited; not a Google name.
    case droppedUnregistered
    /// All content of the message is for other platforms; not a Google name.
    case nothingForPlatform
}

/// The reason why a message did not reach the device immediately.
package enum MessageDelay: String, Hashable, CaseIterable, Sendable {
    case deliveredNoDelay
    case delayedDeviceOffline
    case delayedDeviceDoze
    case delayedMessageThrottled
    /// The profile of the app's user was stopped on the device.
    case delayedUserStopped
    /// The message had normal priority and the app was in the background; not a Google name.
    case delayedInBackground
}

/// A message that waits for its device.
package struct WaitingMessage: Sendable {
    package let id: MessageID
    package let content: MessageContent
    package let acceptedAt: DeliveryMoment
    package let expiresAt: DeliveryMoment
    /// The reason for the delay at the time of the query.
    package let reason: MessageDelay
}

/// A message that the device will not receive.
package struct DroppedMessage: Sendable {
    package let id: MessageID
    package let acceptedAt: DeliveryMoment
    package let droppedAt: DeliveryMoment
    package let outcome: MessageOutcome
    /// Whether the model chose this message.
    ///
    /// FCM does not document which messages are dropped when a fifth collapse key arrives.
    package let isChoiceOfModel: Bool
    let shared: SharedContent

    package var content: MessageContent { shared.content }

    init(
        id: MessageID,
        shared: SharedContent,
        acceptedAt: DeliveryMoment,
        at moment: DeliveryMoment,
        outcome: MessageOutcome,
        isChoiceOfModel: Bool = false
    ) {
        self.id = id
        self.shared = shared
        self.acceptedAt = acceptedAt
        droppedAt = moment
        self.outcome = outcome
        self.isChoiceOfModel = isChoiceOfModel
    }

    package init(
        id: MessageID,
        content: MessageContent,
        acceptedAt: DeliveryMoment,
        at moment: DeliveryMoment,
        outcome: MessageOutcome,
        isChoiceOfModel: Bool
    ) {
        self.init(
            id: id,
            shared: SharedContent(content),
            acceptedAt: acceptedAt,
            at: moment,
            outcome: outcome,
            isChoiceOfModel: isChoiceOfModel
        )
    }
}

/// An event that a machine reports; reports are in order of occurrence.
package enum DeliveryReport: Sendable {
    /// A message has a new outcome: `pending` at most once, and then its final outcome.
    case message(MessageID, MessageOutcome, MessageDelay, at: DeliveryMoment)
    /// The user tapped a notification of the message.
    case opened(MessageID, at: DeliveryMoment)
    /// The app's `onDeletedMessages` was called.
    case deletedMessages(at: DeliveryMoment)
    /// FCM no longer accepts the registration.
    case unregistered(at: DeliveryMoment)
}
