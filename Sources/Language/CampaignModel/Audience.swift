/// The target of a campaign.
package enum AudienceTarget: Hashable, Sendable {
    case topic(Topic)
    case condition(Condition)
    case registrations(RegistrationList)
    case group(DeviceGroupName)

    /// The topics that determine the recipients; empty for registrations and groups.
    package var topics: [Topic] {
        switch self {
        case .topic(let topic): [topic]
        case .condition(let condition): condition.topics
        case .registrations, .group: []
        }
    }

    /// Whether it is a list that is read when its send begins.
    package var isReadAtSend: Bool {
        if case .registrations(let list) = self { list.isReadAtSend } else { false }
    }

    /// Whether it reaches all subscribers instead of chosen app instances.
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

    /// - Parameter text: 1 to 256 printable ASCII characters without white space; FCM specifies no
    ///   format.
    package init?(_ text: String) {
        let isName =
            (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isName else { return nil }
        self.text = text
    }

    package var description: String { text }

    /// The maximum number of devices in a group (Firebase documentation, Device group messaging).
    package static let largestGroup = 20
}

/// A list of registrations and its place.
///
/// The model never holds the registrations of a file; they are streamed when they are needed.
package enum RegistrationList: Hashable, Sendable {
    /// One registration per line; the path is relative to the project directory, or absolute.
    case file(path: String)
    case inline([Registration])
    /// A file with a format, columns or other settings, or the output of a source.
    case described(RegistrationFile)
    /// A list that is composed of other lists.
    case set(ListSet)
}

/// A list in a file or in the output of a source, with its format and columns.
package struct RegistrationFile: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        /// One registration per line.
        case text
        case csv
        case ndjson
    }

    /// The kind of entries: registration tokens or Firebase installation IDs.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case token
        case fid
    }

    package enum Reading: String, Hashable, Sendable, CaseIterable {
        /// By the apply that records the send.
        case atApply = "at_apply"
        /// When the send begins.
        case atSend = "at_send"
    }

    /// The path as written, or a name for the output of a source.
    package let path: String
    /// The source whose output is the list; nil for a file.
    package let source: ListSourceID?
    package let format: Format
    package let kind: Kind
    /// The column of the registrations; nil for text files.
    package let column: String?
    /// The column that identifies the person behind several registrations.
    package let identity: String?
    package let reading: Reading
    /// The column of the recipient's locale; nil if the list does not name it.
    package let locale: String?
    /// The column of the recipient's IANA time zone.
    package let timeZone: String?
    /// The column of the recipient's public key.
    package let publicKey: String?
    /// The column of a number from before an experiment.
    package let covariate: String?

    package init(
        path: String,
        format: Format,
        kind: Kind,
        column: String?,
        identity: String?,
        reading: Reading,
        locale: String? = nil,
        timeZone: String? = nil,
        publicKey: String? = nil,
        covariate: String? = nil,
        source: ListSourceID? = nil
    ) {
        self.path = path
        self.source = source
        self.format = format
        self.kind = kind
        self.column = column
        self.identity = identity
        self.reading = reading
        self.locale = locale
        self.timeZone = timeZone
        self.publicKey = publicKey
        self.covariate = covariate
    }
}

extension RegistrationList {
    /// The column of the recipients' locales if a list does not name one.
    package static let standardLocaleColumn = "locale"

    /// The column of the recipients' locales: the named one, or `locale`.
    ///
    /// In a set, each list has its own; this is the column of the first list that names one.
    package var localeColumn: String { namedLocaleColumn ?? Self.standardLocaleColumn }

    /// The column that the list's description names; in a set, that of the first list that names
    /// one.
    package var namedLocaleColumn: String? {
        switch self {
        case .file, .inline: nil
        case .described(let file): file.locale
        case .set(let set): set.parts.lazy.compactMap(\.list.namedLocaleColumn).first
        }
    }

    /// The column of the recipients' time zones; in a set, that of the first list that names one.
    package var timeZoneColumn: String? {
        switch self {
        case .file, .inline: nil
        case .described(let file): file.timeZone
        case .set(let set): set.parts.lazy.compactMap(\.list.timeZoneColumn).first
        }
    }
}

extension RegistrationList {
    /// The column of a number from before an experiment; in a set, that of the first list that names
    /// one, and rows of lists without it have 0.
    package var covariateColumn: String? {
        switch self {
        case .file, .inline: nil
        case .described(let file): file.covariate
        case .set(let set): set.parts.lazy.compactMap(\.list.covariateColumn).first
        }
    }
}

/// A named list that Herald can keep subscribed to topics.
package struct Audience: Hashable, Sendable {
    package let id: AudienceID
    package let about: String?
    package let list: RegistrationList
    /// The desired membership: this audience subscribes every registration of its list to exactly
    /// these topics.
    ///
    /// nil if the document does not specify it.
    package let subscribe: [Topic]?
    /// Whether registrations that opted out are joined again.
    package let rejoins: Bool
    /// The transport as written; `membershipTransport` is the effective one.
    package let transport: MembershipTransportChoice
    /// Whether it may be addressed from any environment.
    package let isTest: Bool
    /// The change of the list and of the members of each topic that the author accepts.
    package let acknowledgement: ChangeAcknowledgement?
    /// What the document says about columns of the list, by name.
    package let columns: [String: ListColumn]

    package init(
        id: AudienceID,
        about: String?,
        list: RegistrationList,
        subscribe: [Topic]?,
        rejoins: Bool = false,
        transport: MembershipTransportChoice = .auto,
        isTest: Bool = false,
        acknowledgement: ChangeAcknowledgement? = nil,
        columns: [String: ListColumn] = [:]
    ) {
        self.id = id
        self.about = about
        self.list = list
        self.subscribe = subscribe
        self.rejoins = rejoins
        self.transport = transport
        self.isTest = isTest
        self.acknowledgement = acknowledgement
        self.columns = columns
    }
}

/// What an audience says about a column of its list.
package struct ListColumn: Hashable, Sendable {
    /// The value of rows that have none; nil if such a row is an error.
    package let standard: String?

    package init(standard: String?) {
        self.standard = standard
    }
}

/// What happens to the members of an audience whose document or `subscribe` was removed.
package struct AudienceRemoval: Hashable, Sendable {
    package enum Members: String, Hashable, Sendable, CaseIterable {
        /// Unsubscribe the registrations that Herald joined.
        case unsubscribe
        /// Keep the subscriptions, and stop recording them.
        case forget
    }

    package let audience: AudienceID
    package let members: Members
    /// The number of leaves from each topic that the author accepts.
    package let acknowledgement: ChangeAcknowledgement?

    package init(
        audience: AudienceID,
        members: Members,
        acknowledgement: ChangeAcknowledgement? = nil
    ) {
        self.audience = audience
        self.members = members
        self.acknowledgement = acknowledgement
    }
}
