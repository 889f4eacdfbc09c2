package import CampaignModel

/// The people that an occurrence addresses, as keyed hashes, in the order of its requests.
///
/// It contains neither registrations nor identities.
package struct ListPeople: Hashable, Sendable {
    /// The first half of each registration's fingerprint; 0 if it was erased.
    package let registrations: [UInt64]
    /// The first half of the fingerprint of each registration's person; nil if every registration
    /// is a person.
    package let identities: [UInt64]?
    /// The time zones that rows name.
    package let zones: [String]
    /// The number of each row's zone, from 1, or 0 if it names none; nil if no row names one.
    package let zoneNumbers: [UInt16]?

    /// `identities`, `zoneNumbers`: one element per registration.
    package init(
        registrations: [UInt64],
        identities: [UInt64]? = nil,
        zones: [String] = [],
        zoneNumbers: [UInt16]? = nil
    ) {
        self.registrations = registrations
        self.identities = identities
        self.zones = zones
        self.zoneNumbers = zoneNumbers
    }

    package var count: Int { registrations.count }

    /// The person of each row; 0 if it was erased.
    package var keys: [UInt64] { identities ?? registrations }
}

/// The store's number of a record of people.
package struct PeopleID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// A list whose people are recorded.
///
/// The content ID of a list does not cover the columns of people, so one list may have several
/// records, of which the last one is current.
package struct PeopleName: Hashable, Sendable {
    package let list: ListID
    package let columns: PeopleColumns

    package init(of list: ListID, columns: PeopleColumns = PeopleColumns()) {
        self.list = list
        self.columns = columns
    }
}
