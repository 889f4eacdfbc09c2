package import CampaignModel
package import State
package import Time

/// The ports that caps are decided from.
package typealias CapSource = Ledger & ContactBook

/// An occurrence to a list whose caps are decided.
package struct CapSubject: Sendable {
    package let people: ListPeople
    /// The record of these people; nil if the state does not have it yet.
    package let record: PeopleID?
    /// Its work unit, if it was opened.
    package let unit: WorkUnitRecord?
    package let moment: CapMoment
    package let cap: FrequencyCap

    package init(
        people: ListPeople,
        record: PeopleID?,
        unit: WorkUnitRecord?,
        moment: CapMoment,
        cap: FrequencyCap
    ) {
        self.people = people
        self.record = record
        self.unit = unit
        self.moment = moment
        self.cap = cap
    }
}

/// Counts the recorded messages of the people of an occurrence.
package struct CapReader: Sendable {
    private let store: any CapSource
    private let zones: TimeZoneDatabase

    /// A day and the difference of two time zones, rounded up.
    private static let secondsForDays: Int64 = 3 * 86_400

    package init(of store: any CapSource, zones: TimeZoneDatabase) {
        self.store = store
        self.zones = zones
    }

    /// Returns the messages of all other occurrences, and what the occurrence itself has done.
    package func counter(for subject: CapSubject) async throws(StateStoreError) -> CapCounter {
        var counter = CapCounter(
            of: subject.people,
            in: calendars(of: subject.people),
            at: subject.moment
        )
        let length = subject.cap.week == nil ? Self.secondsForDays : ContactWindow.lifetime
        let since = subject.moment.instant.advanced(bySeconds: -length)
        let units = try await store.contacts(since: since).filter { $0.id != subject.unit?.id }
        var members: MemberTable?
        for (record, units) in Dictionary(grouping: units, by: \.people) {
            if units[0].isFanOut {
                guard let reached = try await store.personKeys(of: record) else { continue }
                let table = members ?? counter.members()
                members = table
                for unit in units {
                    guard let outcome = try await outcomes(of: unit).first else { continue }
                    counter.count(unit, with: outcome, toMembers: reached, of: table)
                }
            } else {
                let shared: CapCounter.Shared
                if record == subject.record {
                    shared = counter.shared(with: subject.people)
                } else if let keys = try await store.personKeys(of: record) {
                    shared = counter.shared(with: keys)
                } else {
                    continue
                }
                for unit in units {
                    counter.count(unit, with: try await outcomes(of: unit), to: shared)
                }
            }
        }
        if let unit = subject.unit { try await note(own: unit, in: &counter) }
        return counter
    }

    package func calendars(of people: ListPeople) -> PeopleZones {
        PeopleZones(people, database: zones)
    }

    private func outcomes(of unit: ContactUnit) async throws(StateStoreError) -> [Outcome] {
        try await store.outcomes(of: unit.id, in: 0..<unit.count)
    }

    private func note(
        own unit: WorkUnitRecord,
        in counter: inout CapCounter
    ) async throws(StateStoreError) {
        guard unit.released > 0 || unit.tally[.suppressed] > 0 else { return }
        counter.note(
            own: unit,
            outcomes: try await store.outcomes(of: unit.id, in: 0..<unit.count),
            capped: try await capped(in: unit)
        )
    }

    /// Returns the requests that earlier decisions suppressed, in no order.
    private func capped(in unit: WorkUnitRecord) async throws(StateStoreError) -> [Int] {
        guard unit.capped > 0 else { return [] }
        var capped: [Int] = []
        capped.reserveCapacity(unit.capped)
        for first in stride(from: 0, to: unit.count, by: Self.part) {
            let part = first..<min(first + Self.part, unit.count)
            for (request, detail) in try await store.details(of: unit.id, in: part)
            where detail == OutcomeDetail.cap {
                capped.append(request)
            }
        }
        return capped
    }

    /// The number of requests whose details are in memory at a time.
    private static let part = 65_536
}
