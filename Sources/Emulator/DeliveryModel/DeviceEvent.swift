/// Something that happened to a device, or that its app did.
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
        /// The app was started after it had been stopped by force.
        case started
        case userStopped = "user_stopped"
        case userStarted = "user_started"
        /// The app was told that messages for it were discarded.
        case deletedMessages = "deleted_messages"
        /// A notification was tapped.
        case opened
        /// The registration expired: the device had been silent for too long.
        case expired
        /// The app received a registration, its first or a new one.
        case registered
        /// The app gave its registration up.
        case unregistered
        case subscribe
        case unsubscribe
    }

    package let kind: Kind
    package let at: DeliveryMoment
    /// What a call of the app's names; nil for everything else.
    package let topic: String?
    /// How a call of the app's ended; nil for everything else.
    package internal(set) var completion: ClientCompletion?
    /// Which message's notification was tapped; nil for everything else.
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

    /// A call of the app's that has not ended.
    init(_ call: ClientCall, at moment: DeliveryMoment) {
        self.init(call.eventKind, at: moment, topic: call.topic, completion: .pending)
    }
}

/// What happened on a device.
package struct DeviceLog: Sendable {
    /// How many events came before those that are remembered.
    package let forgotten: Int
    /// The oldest first.
    package let events: [DeviceEvent]

    package init(forgotten: Int, events: [DeviceEvent]) {
        self.forgotten = forgotten
        self.events = events
    }

    package var total: Int { forgotten + events.count }
}

/// A subscription call of the client SDK, as the app on a device makes it.
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

/// How a call of the client SDK ended.
package enum ClientCompletion: Hashable, Sendable {
    /// The app has not been called back: the call waits for the device's obstacle to go.
    case pending
    case done(at: DeliveryMoment)
    case failed(ClientFailure, at: DeliveryMoment)
}

package enum ClientObstacle: String, Hashable, Sendable {
    case registration
    case network
}

/// Why the client SDK calls back with an error.
package enum ClientFailure: String, Error, Hashable, CaseIterable, Sendable {
    case malformedTopic = "INVALID_ARGUMENT"
    case tooManyTopics = "TOO_MANY_TOPICS"
    /// The app was removed before the call could be made.
    case uninstalled = "UNINSTALLED"
}
