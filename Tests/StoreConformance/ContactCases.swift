import CampaignModel
import JSON
import State
import Testing
import Time

extension StoreCases {
    private static let list = ListID(text: String(repeating: "0f", count: 32))
    private static let name = PeopleName(
        of: list,
        columns: PeopleColumns(identity: "user", timeZone: "zone")
    )
    private static let start = StoreFixtures.due
    private static let day: Int64 = 86_400

    private static let people = ListPeople(
        registrations: [11, 12, 13],
        identities: [1, 2, 1],
        zones: ["Asia/Tokyo"],
        zoneNumbers: [1, 0, 1]
    )

    static let contactCases = [
        StoreCase("keeps the people of a list, with earlier records") { state in
            let store = try await state.open()
            #expect(try await store.people(of: name) == nil)
            let first = try await store.keepPeople(people, of: name)
            #expect(try await store.keepPeople(people, of: name) == first)
            let other = ListPeople(registrations: [11, 12, 13])
            let second = try await store.keepPeople(other, of: name)
            #expect(second != first)
            #expect(try await state.open().people(of: name) == second)
            #expect(try await store.people(first) == people)
            #expect(try await store.personKeys(of: first) == people.identities)
            #expect(try await store.people(second) == other)
            #expect(try await store.personKeys(of: second) == other.registrations)
            // Other columns are another record.
            let plain = PeopleName(of: list)
            #expect(try await store.people(of: plain) == nil)
            let third = try await store.keepPeople(people, of: plain)
            #expect(try await store.people(of: name) == second)
            let none = PeopleID(number: third.number + 1)
            #expect(try await store.people(none) == nil)
            #expect(try await store.personKeys(of: none) == nil)
        },
        StoreCase("keeps the members of fan-outs") { state in
            let store = try await state.open()
            let many = ListPeople(registrations: (1...40_000).map { UInt64($0) << 32 })
            let record = try await store.keepMembers(many)
            #expect(try await store.keepMembers(many) != record)
            #expect(try await state.open().people(record) == many)
            #expect(try await store.personKeys(of: record) == many.registrations)
        },
        StoreCase("returns the units of recent windows, with all windows") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 9)
            let record = try await store.keepMembers(people)
            let first = ContactWindow(begins: start, zone: "UTC", mark: 0)
            let second = ContactWindow(
                begins: start.advanced(bySeconds: day),
                zone: "Europe/Berlin",
                mark: 5,
                returned: [1..<2, 3..<5]
            )
            #expect(try await store.people(of: unit.id) == nil)
            try await store.beginWindow(first, of: unit.id, to: record)
            try await store.beginWindow(second, of: unit.id, to: record)
            try await store.record([], released: 6, of: unit.id)
            let expected = ContactUnit(
                id: unit.id,
                people: record,
                isFanOut: true,
                count: 9,
                released: 6,
                windows: [first, second]
            )
            #expect(try await store.contacts(since: second.begins) == [expected])
            #expect(try await store.people(of: unit.id) == record)
            let zones: Set = ["UTC", "Europe/Berlin", "Asia/Tokyo"]
            #expect(try await store.contactZones() == zones)
            let later = second.begins.advanced(bySeconds: 1)
            #expect(try await store.contacts(since: later) == [])
        },
        StoreCase("drops people once no list and no window needs them") { state in
            let store = try await state.open()
            let (unit, record) = try await sent(store)
            let unused = try await store.keepPeople(people, of: PeopleName(of: ListID(text: "aa")))
            #expect(try await store.contacts(since: start).map(\.id) == [unit])
            #expect(try await store.contacts(since: start).map(\.isFanOut) == [false])
            try await finish(store, after: 10)
            #expect(try await store.people(record) == people)
            #expect(try await store.people(unused) == nil)
            try await finish(store, after: 11)
            #expect(try await store.people(record) == nil)
            #expect(try await store.contacts(since: start) == [])
        },
        StoreCase("compacts no outcomes that a cap may count") { state in
            let store = try await state.open()
            _ = try await sent(store)
            try await finish(store, after: 0)
            for (days, count) in [(10 as Int64, 0), (11, 1)] {
                let now = start.advanced(bySeconds: days * day)
                #expect(try await store.compact(finishedBefore: now, at: now) == count)
            }
        },
        StoreCase("counts the requests that a cap suppressed") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 4)
            let details = [OutcomeDetail.cap, OutcomeDetail.dead, OutcomeDetail.cap]
            let outcomes = details.enumerated().map { place, detail in
                RequestOutcome(index: place, outcome: .suppressed, detail: detail)
            }
            try await store.record(outcomes, released: 3, of: unit.id)
            #expect(try await store.unit(unit.id).capped == 2)
            #expect(try await store.unit(unit.id).tally[.suppressed] == 3)
        },
    ]

    /// Records an occurrence to a list that is complete, with a window at its start.
    private static func sent(
        _ store: any StateStore
    ) async throws -> (unit: UnitID, people: PeopleID) {
        try await store.store(StoreFixtures.registrations(0..<3), as: list)
        let run = try await store.beginRun(StoreFixtures.worker)
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: start,
            message: [:],
            target: .registrations(list),
            count: 3
        )
        let unit = try await store.open(opened, in: run)
        let record = try await store.keepPeople(people, of: name)
        try await store.beginWindow(
            ContactWindow(begins: start, zone: "UTC", mark: 0),
            of: unit.id,
            to: record
        )
        let outcomes = (0..<3).map { RequestOutcome(index: $0, outcome: .accepted) }
        try await store.record(outcomes, released: 3, of: unit.id)
        try await store.close(opened.id, as: .finished)
        return (unit.id, record)
    }

    /// Finishes a run this many days after the start.
    private static func finish(_ store: any StateStore, after days: Int64) async throws {
        let run = try await store.beginRun(StoreFixtures.worker)
        try await store.finishRun(
            run,
            as: RunEnd(
                status: .complete,
                tally: OutcomeTally(),
                at: start.advanced(bySeconds: days * day)
            )
        )
    }
}
