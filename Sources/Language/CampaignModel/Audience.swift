/// Whom a campaign addresses.
package enum AudienceTarget: Hashable, Sendable {
    case topic(Topic)
    case condition(Condition)
    case registrations(RegistrationList)
    case group(DeviceGroupName)

    /// The topics that decide whom it reaches; none for registrations and groups.
    package var topics: [Topic] {
        switch self {
        case .topic(let topic): [topic]
        case .condition(let condition): condition.topics
        case .registrations, .group: []
        }
    }

    /// Whoever subscribed is reached, not chosen app instances.
    package var reachesSubscribers: Bool {
        switch self {
        case .topic, .condition: true
        case .registrations, .group: false
        }
    }
}

/// The `notification_key_name` of a device group: one send reaches all devices of a person
/// (Firebase documentation, Device group messaging).
package struct DeviceGroupName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// - Parameter text: 1 to 256 printable ASCII characters without white space; FCM states no
    ///   format.
    package init?(_ text: String) {
        let isName =
            (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isName else { return nil }
        self.text = text
    }

    package var description: String { text }

    /// So many devices a group has at most (Firebase documentation, Device group messaging).
    package static let largestGroup = 20
}

/// A list of registrations and where it stands.
///
/// The registrations of a file are never held in the model: they are streamed when they are needed.
package enum RegistrationList: Hashable, Sendable {
    /// One registration a line; the path is relative to the project's folder or absolute.
    case file(path: String)
    case inline([Registration])
    /// A file that says more of itself than where it lies.
    case described(RegistrationFile)
}

/// A list in a file, with its format and columns.
package struct RegistrationFile: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// One registration a line.
        case text
        case csv
        case ndjson
    }

    /// What the list holds: registration tokens, or Firebase installation ids.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case token
        case fid
    }

    package enum Reading: String, Hashable, Sendable, CaseIterable {
        /// Stored by content when it is scheduled.
        case atApply = "at_apply"
        case atSend = "at_send"
    }

    package let path: String
    package let format: Format
    package let kind: Kind
    /// The column of the registrations; nil in a text.
    package let column: String?
    /// The column of the person behind several registrations.
    package let identity: String?
    package let reading: Reading

    package init(
        path: String,
        format: Format,
        kind: Kind,
        column: String?,
        identity: String?,
        reading: Reading
    ) {
        self.path = path
        self.format = format
        self.kind = kind
        self.column = column
        self.identity = identity
        self.reading = reading
    }
}

/// A named list that may be kept subscribed to topics.
package struct Audience: Hashable, Sendable {
    package let id: AudienceID
    package let about: String?
    package let list: RegistrationList
    /// The desired membership: every registration of the list is subscribed to each of these, and
    /// to no other topic by this audience.
    ///
    /// Nil where the document says nothing of it.
    package let subscribe: [Topic]?
    /// Who left a topic by himself is joined again.
    package let rejoins: Bool
    /// As it is written; `membershipTransport` is what holds.
    package let transport: MembershipTransportChoice
    /// May be addressed from any environment.
    package let isTest: Bool

    package init(
        id: AudienceID,
        about: String?,
        list: RegistrationList,
        subscribe: [Topic]?,
        rejoins: Bool = false,
        transport: MembershipTransportChoice = .auto,
        isTest: Bool = false
    ) {
        self.id = id
        self.about = about
        self.list = list
        self.subscribe = subscribe
        self.rejoins = rejoins
        self.transport = transport
        self.isTest = isTest
    }
}

/// What becomes of the members of an audience whose document, or whose `subscribe`, was taken away.
package struct AudienceRemoval: Hashable, Sendable {
    package enum Members: String, Hashable, Sendable, CaseIterable {
        /// Whom Herald joined leaves the topics.
        case unsubscribe
        /// Nobody leaves; no account is kept of them any more.
        case forget
    }

    package let audience: AudienceID
    package let members: Members

    package init(audience: AudienceID, members: Members) {
        self.audience = audience
        self.members = members
    }
}
