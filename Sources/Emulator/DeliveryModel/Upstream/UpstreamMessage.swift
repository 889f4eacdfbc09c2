package import JSON

/// The address of an app server, such as `1029384756@gcm.googleapis.com`.
package struct AppServerAddress: Hashable, Sendable {
    package let sender: String

    /// Later documents write `fcm.googleapis.com`.
    private static let domains = ["@gcm.googleapis.com", "@fcm.googleapis.com"]

    package init(sender: String) {
        self.sender = sender
    }

    /// Returns nil if the text is not a sender ID with an FCM domain.
    package init?(_ text: String) {
        guard let domain = Self.domains.first(where: { text.hasSuffix($0) }) else { return nil }
        let sender = text.dropLast(domain.count)
        guard !sender.isEmpty, sender.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.sender = String(sender)
    }

    package var text: String { sender + Self.domains[0] }
}

/// The arguments of `sendMessage`.
package struct UpstreamCall: Sendable {
    let message: JSONObject
    let to: String?
    let id: String
    let timeToLive: Int64

    /// Creates the arguments of a call.
    ///
    /// `message`: a pair whose value is not a string is ignored. `address`: nil for any app server of
    /// the project. `timeToLive`: in seconds.
    package init(message: JSONObject, to address: String?, id: String, timeToLive: Int64) {
        self.message = message
        to = address
        self.id = id
        self.timeToLive = timeToLive
    }
}

/// A message as the client library takes it from an app.
package struct UpstreamContent: Hashable, Sendable {
    /// The app server; nil for any app server of the project, or if the address is malformed.
    package let to: AppServerAddress?
    package let id: String
    /// Strings only.
    package let data: [DataEntry]
    /// In seconds.
    package let timeToLive: Int64
    /// The app that sends, which FCM adds.
    package let category: String
    /// Whether the client library refuses the call.
    let isInvalid: Bool

    /// Creates the message of a call.
    ///
    /// `sender`: the sender ID of the project; nil if any is right.
    package init(_ call: UpstreamCall, category: String, sender: String? = nil) {
        let to = call.to.flatMap { AppServerAddress($0) }
        self.to = to
        id = call.id
        data = call.message.members.compactMap { member in
            member.value.stringValue.map { DataEntry(key: member.key, value: $0) }
        }
        timeToLive = call.timeToLive
        self.category = category
        isInvalid =
            call.to != nil && to == nil || call.id.isEmpty
            || to != nil && sender != nil && to?.sender != sender
            || !UpstreamRules.timeToLive.contains(call.timeToLive)
    }

    /// The JSON of the stanza: FCM adds `category` and `from`.
    package func json(from registration: DeviceRegistration) -> JSONObject {
        let pairs = data.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }
        return [
            "category": .string(category), "data": .object(JSONObject(pairs)),
            "time_to_live": .integer(timeToLive), "message_id": .string(id),
            "from": .string(registration.text),
        ]
    }

    func isTooLarge(from registration: DeviceRegistration) -> Bool {
        JSONValue.object(json(from: registration)).compactBytes.count > UpstreamRules.messageBytes
    }
}

/// A message from the app of a device, and what happened to it.
package struct UpstreamMessage: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// On the device, which has no connection.
        case waiting
        /// FCM accepted it for the app server.
        case sent(at: DeliveryMoment)
        /// The app server acknowledged it.
        case acknowledged(sent: DeliveryMoment, at: DeliveryMoment)
        case failed(ClientFailure, at: DeliveryMoment)
    }

    /// Counts the messages of a project.
    package let number: Int
    package let content: UpstreamContent
    package let createdAt: DeliveryMoment
    package let expiresAt: DeliveryMoment
    package internal(set) var state = State.waiting
    /// What the app was told, in order.
    package internal(set) var callbacks: [UpstreamCallback] = []

    init(_ content: UpstreamContent, number: Int, at now: DeliveryMoment) {
        self.number = number
        self.content = content
        createdAt = now
        expiresAt = now.advanced(bySeconds: max(0, content.timeToLive))
    }

    package var isOpen: Bool {
        switch state {
        case .waiting, .sent: true
        case .acknowledged, .failed: false
        }
    }

    /// The end of the attempts to deliver, which is later than `expiresAt` if the time to live is 0.
    var endOfAttempts: DeliveryMoment {
        guard case .sent(let moment) = state, content.timeToLive == 0 else { return expiresAt }
        return moment.advanced(bySeconds: UpstreamRules.singleAttempt)
    }
}

/// A call of the app's observers: `sendDataMessageSuccess` or `sendDataMessageFailure`.
package struct UpstreamCallback: Hashable, Sendable {
    /// Nil for a success.
    package let failure: ClientFailure?
    /// When the result was known, which is earlier than `at`, because responses are batched.
    package let decidedAt: DeliveryMoment
    package let at: DeliveryMoment

    package init(failure: ClientFailure?, decidedAt: DeliveryMoment, at moment: DeliveryMoment) {
        self.failure = failure
        self.decidedAt = decidedAt
        at = moment
    }
}
