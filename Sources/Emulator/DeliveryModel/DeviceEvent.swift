/// An event on a device or an action of its app.
package struct DeviceEvent: Hashable, Sendable {
    package enum Kind: String, Hashable, CaseIterable, Sendable {
        case online
        case offline
        case foreground
        case background
        case installed
        case uninstalled
        case dozing
        case awake
        case forceStopped = "force_stopped"
        /// The app was started after a force stop.
        case started
        case userStopped = "user_stopped"
        case userStarted = "user_started"
        /// The app was notified that its messages were deleted.
        case deletedMessages = "deleted_messages"
        /// The user tapped a notification.
        case opened
        /// The registration expired after a long silence of the device.
        case expired
        /// The app received a registration, its first or a new one.
        case registered
        /// The app deleted its registration.
        case unregistered
        case subscribe
        case unsubscribe
        /// The app called `sendMessage`.
        case sendMessage = "send_message"
        /// The app learned that FCM accepted a message.
        case sendSuccess = "send_success"
        /// The app learned that a message failed.
        case sendFailure = "send_failure"
    }

    package let kind: Kind
    package let at: DeliveryMoment
    /// The topic of a subscription call; nil for other events.
    package let topic: String?
    /// The result of a subscription call or of a sent message; nil for other events.
    package internal(set) var completion: ClientCompletion?
    /// The message whose notification was tapped, or which the app sent; nil for other events.
    package let message: MessageID?

    package init(
        _ kind: Kind,
        at moment: DeliveryMoment,
        topic: String? = nil,
        completion: ClientCompletion? = nil,
        message: MessageID? = nil
    ) {
        self.kind = kind
        self.message = message
        at = moment
        self.topic = topic
        self.completion = completion
    }

    /// Creates the event of a call that has not completed.
    init(_ call: ClientCall, at moment: DeliveryMoment) {
        self.init(call.eventKind, at: moment, topic: call.topic, completion: .pending)
    }
}

/// The events of a device.
package struct DeviceLog: Sendable {
    /// Number of older events that were discarded.
    package let forgotten: Int
    /// The remaining events, oldest first.
    package let events: [DeviceEvent]

    package init(forgotten: Int, events: [DeviceEvent]) {
        self.forgotten = forgotten
        self.events = events
    }

    package var total: Int { forgotten + events.count }
}

/// A subscription call of the client SDK by the app on a device.
package enum ClientCall: Hashable, Sendable {
    /// The topic as the app wrote it.
    case subscribe(String)
    case unsubscribe(String)

    package var topic: String {
        switch self {
        case .subscribe(let topic), .unsubscribe(let topic): topic
        }
    }

    package var eventKind: DeviceEvent.Kind {
        switch self {
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        }
    }
}

/// The result of a client SDK call.
package enum ClientCompletion: Hashable, Sendable {
    /// The call waits until the device has a registration and a network.
    case pending
    case done(at: DeliveryMoment)
    case failed(ClientFailure, at: DeliveryMoment)
}

package enum ClientObstacle: String, Hashable, Sendable {
    case registration
    case network
}

/// The reason for an error in a client SDK callback.
package enum ClientFailure: String, Error, Hashable, CaseIterable, Sendable {
    case malformedTopic = "INVALID_ARGUMENT"
    case tooManyTopics = "TOO_MANY_TOPICS"
    /// The app was removed before the call could complete.
    case uninstalled = "UNINSTALLED"
    /// The time to live of a sent message passed.
    case timeToLiveExceeded = "TTL_EXCEEDED"
    /// An Android device has as many waiting messages as it may have.
    case tooManyMessages = "TOO_MANY_MESSAGES"
    /// A sent message is too large.
    case tooLarge = "SIZE"
    /// The address, the ID or the time to live of a sent message is not valid.
    case invalidParameters = "INVALID_PARAMETERS"
    /// The device sent more than 1,000 messages in a minute.
    case deviceRateExceeded = "DEVICE_RATE_EXCEEDED"
    /// The devices of the project sent more than 1,500,000 messages in a minute.
    case projectRateExceeded = "PROJECT_RATE_EXCEEDED"
}
