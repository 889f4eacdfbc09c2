package import CampaignModel
package import Time

/// A message from a device to its app server.
package struct UpstreamMessage: Hashable, Sendable {
    /// The project whose app server it is for.
    package let sender: SenderID
    /// The device.
    package let registration: Registration
    /// The message ID, which the device chooses.
    package let id: String
    /// The app that sent it, such as `com.example.tides`.
    package let category: String
    package let data: [String: String]
    /// In seconds; nil if the message does not specify it.
    package let timeToLive: Int64?
    package let arrival: UpstreamArrival

    package init(
        content: UpstreamContent,
        from registration: Registration,
        to sender: SenderID,
        arrival: UpstreamArrival
    ) {
        self.sender = sender
        self.registration = registration
        id = content.id
        category = content.category
        data = content.data
        timeToLive = content.timeToLive
        self.arrival = arrival
    }

    /// The limit of the whole JSON text, in bytes.
    package static let sizeLimit = 4_096
    /// In seconds: four weeks.
    package static let timeToLiveRange: ClosedRange<Int64> = 0...2_419_200
}

/// What a device says in a message.
package struct UpstreamContent: Hashable, Sendable {
    package let id: String
    package let category: String
    package let data: [String: String]
    package let timeToLive: Int64?

    package init(id: String, category: String, data: [String: String], timeToLive: Int64? = nil) {
        self.id = id
        self.category = category
        self.data = data
        self.timeToLive = timeToLive
    }
}

/// When and how a message arrived.
package struct UpstreamArrival: Hashable, Sendable {
    package let time: Instant
    package let transport: UpstreamTransport

    package init(at time: Instant, over transport: UpstreamTransport) {
        self.time = time
        self.transport = transport
    }
}

/// The raw values are stored: they never change.
package enum UpstreamTransport: UInt8, Hashable, Sendable, CaseIterable {
    case xmpp = 0
    case http = 1

    package var name: String {
        switch self {
        case .xmpp: "xmpp"
        case .http: "http"
        }
    }
}
