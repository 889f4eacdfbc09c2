package import CampaignModel
package import Time

/// Records which people occurrences address, so that later ones can count the messages to each.
///
/// Whether a person got a message is not recorded here: that follows from the outcomes in the
/// ledger.
package protocol ContactBook: Sendable {
    /// Keeps the people of a list until nothing counts them any longer, and returns their current
    /// record.
    ///
    /// Earlier records of the list stay for the units that they belong to.
    func keepPeople(
        _ people: ListPeople,
        of name: PeopleName
    ) async throws(StateStoreError) -> PeopleID

    /// Keeps the members that a send to a topic, condition or device group addresses.
    func keepMembers(_ people: ListPeople) async throws(StateStoreError) -> PeopleID

    /// The current record of a list; nil if there is none.
    func people(of name: PeopleName) async throws(StateStoreError) -> PeopleID?

    /// The record of a unit that has windows; nil for other units.
    func people(of unit: UnitID) async throws(StateStoreError) -> PeopleID?

    /// Nil if there is no such record.
    func people(_ id: PeopleID) async throws(StateStoreError) -> ListPeople?

    /// The person of each row of a record, which needs less memory than the whole record; 0 if the
    /// row was erased. Nil if there is no such record.
    func personKeys(of id: PeopleID) async throws(StateStoreError) -> [UInt64]?

    /// Adds a window to a unit, before the first request that is sent in it.
    ///
    /// `people`: the same for all windows of the unit.
    func beginWindow(
        _ window: ContactWindow,
        of unit: UnitID,
        to people: PeopleID
    ) async throws(StateStoreError)

    /// The time zones that recorded people and windows name: in these, days are counted.
    func contactZones() async throws(StateStoreError) -> Set<String>

    /// The units that have a window which began at or after `moment`.
    func contacts(since moment: Instant) async throws(StateStoreError) -> [ContactUnit]
}

/// A time during which requests of a unit are sent, and during which no day ends for any of its
/// people, nor in another zone in which the state counts people.
package struct ContactWindow: Hashable, Sendable {
    package let begins: Instant
    /// The zone of people without one.
    package let zone: String
    /// The requests that may be sent in it: those from this number on, and `returned`.
    package let mark: Int
    /// The earlier requests that are known not to have been sent, in ascending order.
    package let returned: [Range<Int>]

    package init(begins: Instant, zone: String, mark: Int, returned: [Range<Int>] = []) {
        self.begins = begins
        self.zone = zone
        self.mark = mark
        self.returned = returned
    }

    /// How long windows count, in seconds: a week, and the difference of two time zones, rounded
    /// up.
    package static let lifetime: Int64 = 10 * 86_400
}

/// A unit whose requests may count for people.
package struct ContactUnit: Hashable, Sendable {
    package let id: UnitID
    package let people: PeopleID
    /// Whether one request reaches all its people.
    package let isFanOut: Bool
    /// The number of its requests.
    package let count: Int
    /// The ledger's high-water mark.
    package let released: Int
    /// In the order of their beginnings, all of them; never empty.
    package let windows: [ContactWindow]

    package init(
        id: UnitID,
        people: PeopleID,
        isFanOut: Bool = false,
        count: Int,
        released: Int,
        windows: [ContactWindow]
    ) {
        self.id = id
        self.people = people
        self.isFanOut = isFanOut
        self.count = count
        self.released = released
        self.windows = windows
    }

    /// Whether a request counts for its person: FCM accepted it, or may have.
    package func counts(_ number: Int, outcome: Outcome) -> Bool {
        outcome.counts(isReleased: number < released)
    }
}

extension Outcome {
    /// Whether a request counts for its person.
    ///
    /// `isReleased`: whether its number is below the high-water mark.
    package func counts(isReleased: Bool) -> Bool {
        switch self {
        case .accepted, .unknown: true
        case .intended: isReleased
        case .rejected, .expired, .suppressed, .cancelled, .returned: false
        }
    }
}

extension OutcomeDetail {
    /// The reason for leaving out a person who is over the frequency cap.
    package static let cap = "cap"
}
