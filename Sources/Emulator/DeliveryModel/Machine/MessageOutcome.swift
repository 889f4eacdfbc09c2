/// What became of a message for one device.
///
/// Each message has exactly one at a time; the words are Google's where it has one (Firebase
/// documentation, Understanding message delivery, Aggregated delivery data).
package enum MessageOutcome: String, Hashable, CaseIterable, Sendable {
    case delivered
    /// It waits.
    case pending
    /// A newer message with the same collapse key took its place, or one with a fifth key.
    case collapsed
    case droppedTtlExpired
    /// Too many waited, and all of them were discarded.
    case droppedTooManyPendingMessages
    /// The device had been silent for more than a month.
    case droppedDeviceInactive
    case droppedAppForceStopped
    /// The app was gone at the attempt; no word of Google's.
    case droppedUninstalled
    /// The app gave its registration up, or it expired, while the message waited; no word of
    /// Google's.
    case droppedUnregistered
    /// All that the message has is for other platforms; no word of Google's.
    case nothingForPlatform
}

/// Why a message did not reach the device at once.
package enum MessageDelay: String, Hashable, CaseIterable, Sendable {
    case deliveredNoDelay
    case delayedDeviceOffline
    case delayedDeviceDoze
    case delayedMessageThrottled
    /// The profile of the app's user was stopped on the device.
    case delayedUserStopped
    /// Normal priority, and the app in the background; no word of Google's.
    case delayedInBackground
}

/// A message that waits for its device.
package struct WaitingMessage: Sendable {
    package let id: MessageID
    package let content: MessageContent
    package let acceptedAt: DeliveryMoment
    package let expiresAt: DeliveryMoment
    /// What is in its way at the moment of the question.
    package let reason: MessageDelay
}

/// A message that the device will not get.
package struct DroppedMessage: Sendable {
    package let id: MessageID
    package let acceptedAt: DeliveryMoment
    package let droppedAt: DeliveryMoment
    package let outcome: MessageOutcome
    /// FCM leaves open which messages survive a fifth collapse key: this one is the model's choice.
    package let isChoiceOfModel: Bool
    let shared: SharedContent

    package var content: MessageContent { shared.content }

    init(
        id: MessageID,
        shared: SharedContent,
        acceptedAt: DeliveryMoment,
        at moment: DeliveryMoment,
        _ outcome: MessageOutcome,
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
        _ outcome: MessageOutcome,
        isChoiceOfModel: Bool
    ) {
        self.init(
            id: id,
            shared: SharedContent(content),
            acceptedAt: acceptedAt,
            at: moment,
            outcome,
            isChoiceOfModel: isChoiceOfModel
        )
    }
}

/// What a machine tells whoever drives it, in the order in which it happened.
package enum DeliveryReport: Sendable {
    /// A message's outcome became this; `pending` once, and later whatever it ended in.
    case message(MessageID, MessageOutcome, MessageDelay, at: DeliveryMoment)
    /// A notification of the message was tapped.
    case opened(MessageID, at: DeliveryMoment)
    /// The app's `onDeletedMessages` was called.
    case deletedMessages(at: DeliveryMoment)
    /// FCM takes the registration no longer.
    case unregistered(at: DeliveryMoment)
}
