package import CampaignModel
package import State
package import Time

/// Counts the messages that the people of an occurrence's list got on their day and in their week,
/// and decides which of them may get another one.
///
/// It is pure except for zone rules, and its time is linear in the rows of the lists.
package struct CapCounter: Sendable {
    private let people: ListPeople
    private let zones: PeopleZones
    private let moment: CapMoment
    private let table: PeopleTable
    /// The number of each person's zone.
    private let personZones: [UInt16]
    /// The day of the decision, by the number of the zone.
    private let today: [LocalDay]
    private var days: [UInt32]
    private var weeks: [UInt32]
    /// The last unit that counted for each person.
    private var lastUnits: [UInt32]
    private var units: UInt32 = 0
    private var own: [OwnRequests]

    /// What the occurrence itself did about a person so far.
    private enum OwnRequests: UInt8 {
        case none
        case leftOut
        case addressed
    }

    /// Begins with no message.
    package init(of people: ListPeople, in zones: PeopleZones, at moment: CapMoment) {
        self.people = people
        self.zones = zones
        self.moment = moment
        let table = PeopleTable(people.keys)
        self.table = table
        personZones = Self.zones(of: people, persons: table.rows, count: table.count)
        today = zones.days(at: moment.instant, standard: moment.zone)
        days = Array(repeating: 0, count: table.count)
        weeks = days
        lastUnits = days
        own = Array(repeating: .none, count: table.count)
    }

    /// Returns the zone that the first row of each person names.
    ///
    /// `persons`: the person of each row.
    private static func zones(
        of people: ListPeople,
        persons: [UInt32],
        count: Int
    ) -> [UInt16] {
        var zones = [UInt16](repeating: 0, count: count)
        for (person, number) in zip(persons, people.zoneNumbers ?? [])
        where person != PeopleTable.none && zones[Int(person)] == 0 {
            zones[Int(person)] = number
        }
        return zones
    }
}

/// When caps are decided, and the zone of people without one.
package struct CapMoment: Hashable, Sendable {
    package let instant: Instant
    package let zone: String

    package init(_ instant: Instant, zone: String) {
        self.instant = instant
        self.zone = zone
    }
}

// MARK: - Earlier messages

extension CapCounter {
    /// The persons of this occurrence that the rows of a list address.
    package struct Shared: Sendable {
        /// The person of each row.
        fileprivate let persons: [UInt32]
    }

    /// Returns the persons that a list addresses, too.
    package func shared(with list: ListPeople) -> Shared {
        list == people ? Shared(persons: table.rows) : shared(with: list.keys)
    }

    /// `keys`: the person of each row of a list.
    package func shared(with keys: [UInt64]) -> Shared {
        Shared(persons: keys.map { table.number(of: $0) })
    }

    /// Counts what a unit sent to a list, at most one message per person.
    ///
    /// The day of a message is that of the person's zone in this occurrence's list, even if the
    /// other list names no zone or another one. `outcomes`: of all its requests.
    package mutating func count(_ unit: ContactUnit, with outcomes: [Outcome], to list: Shared) {
        units += 1
        let windowOf = unit.windowOfRequests ?? []
        for (number, window) in unit.windows.enumerated() {
            let days = zones.days(at: window.begins, standard: moment.zone)
            for row in 0..<min(list.persons.count, outcomes.count) {
                let person = list.persons[row]
                guard person != PeopleTable.none,
                    windowOf.isEmpty || Int(windowOf[row]) == number,
                    unit.counts(row, outcome: outcomes[row])
                else { continue }
                count(person, on: days[Int(personZones[Int(person)])])
            }
        }
    }

    /// Returns what finds the persons of members of topics and device groups.
    func members() -> MemberTable { MemberTable(people, table: table) }

    /// Counts a unit whose one request reached members of topics, or of a device group.
    ///
    /// `outcome`: of the request.
    mutating func count(
        _ unit: ContactUnit,
        with outcome: Outcome,
        toMembers members: [UInt64],
        of table: MemberTable
    ) {
        guard unit.counts(0, outcome: outcome), let window = unit.windows.last else { return }
        units += 1
        let days = zones.days(at: window.begins, standard: moment.zone)
        for member in members {
            let person = table.person(of: member)
            guard person != PeopleTable.none else { continue }
            count(person, on: days[Int(personZones[Int(person)])])
        }
    }

    private mutating func count(_ person: UInt32, on day: LocalDay) {
        let person = Int(person)
        guard lastUnits[person] != units else { return }
        lastUnits[person] = units
        let now = today[Int(personZones[person])]
        if day.day == now.day { days[person] += 1 }
        if day.week == now.week { weeks[person] += 1 }
    }
}

// MARK: - Decision

extension CapCounter {
    /// Notes what the occurrence has done: it addresses a person on all devices or on none.
    ///
    /// `capped`: the requests that an earlier decision suppressed.
    package mutating func note(own unit: WorkUnitRecord, outcomes: [Outcome], capped: [Int]) {
        for row in capped where table.rows[row] != PeopleTable.none {
            own[Int(table.rows[row])] = .leftOut
        }
        for (row, outcome) in outcomes.enumerated()
        where table.rows[row] != PeopleTable.none
            && outcome.counts(isReleased: row < unit.released)
        {
            own[Int(table.rows[row])] = .addressed
        }
    }

    /// Decides about the persons of some requests.
    ///
    /// `requests`: the numbers of the requests that may be sent, in ascending order.
    package func decide(_ cap: FrequencyCap, requests: [Range<Int>]) -> CapDecision {
        let isCapped = (0..<table.count).map { self.isCapped($0, by: cap) }
        var seen = [Bool](repeating: false, count: table.count)
        var (people, cappedPeople) = (0, 0)
        var capped: [Int] = []
        // The exact number, because growing an array needs twice the memory.
        capped.reserveCapacity(
            requests.joined().count { request in
                let person = table.rows[request]
                return person != PeopleTable.none && isCapped[Int(person)]
            }
        )
        for request in requests.joined() {
            let number = table.rows[request]
            guard number != PeopleTable.none else { continue }
            let person = Int(number)
            if isCapped[person] { capped.append(request) }
            guard !seen[person] else { continue }
            seen[person] = true
            people += 1
            if isCapped[person] { cappedPeople += 1 }
        }
        return CapDecision(capped: capped, people: people, cappedPeople: cappedPeople)
    }

    private func isCapped(_ person: Int, by cap: FrequencyCap) -> Bool {
        switch own[person] {
        case .leftOut: true
        case .addressed: false
        case .none: cap.isReached(day: Int(days[person]), week: Int(weeks[person]))
        }
    }
}
