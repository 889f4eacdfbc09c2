import CampaignModel
import State
import Testing
import Time

@testable import Planning

/// Friday, 2027-01-15T08:00:00Z: 07:00 in the Azores, 17:00 in Tokyo.
struct CapCounterTests {
    private static let now = PlanScene.now
    private static let hour: Int64 = 3_600
    private static let zones = TimeZoneDatabase.system(environment: [:])

    /// Persons 11, 12 and 13; the first one has two registrations.
    private let people = ListPeople(registrations: [1, 2, 3, 4], identities: [11, 12, 11, 13])

    private func counter(_ people: ListPeople, zone: String = "UTC") -> CapCounter {
        CapCounter(
            of: people,
            in: PeopleZones(people, database: Self.zones),
            at: CapMoment(Self.now, zone: zone)
        )
    }

    /// A unit whose requests were sent in windows that began this long ago.
    private func unit(
        _ hoursAgo: Int64...,
        count: Int = 4,
        released: Int? = nil,
        zone: String = "UTC"
    ) -> ContactUnit {
        ContactUnit(
            id: UnitID(number: 1),
            people: PeopleID(number: 1),
            count: count,
            released: released ?? count,
            windows: hoursAgo.map { hours in
                let begins = Self.now.advanced(bySeconds: -hours * Self.hour)
                return ContactWindow(begins: begins, zone: zone, mark: 0)
            }
        )
    }

    private func capped(
        _ counter: CapCounter,
        day: Int? = nil,
        week: Int? = nil,
        requests: [Range<Int>] = [0..<4]
    ) throws -> CapDecision {
        counter.decide(try #require(FrequencyCap(day: day, week: week)), requests: requests)
    }

    private func count(
        _ unit: ContactUnit,
        _ outcomes: [Outcome],
        to list: ListPeople? = nil,
        in counter: inout CapCounter
    ) {
        let shared = counter.shared(with: list ?? people)
        counter.count(unit, with: outcomes, to: shared)
    }

    @Test func `a person without messages is under the cap`() throws {
        let decision = try capped(counter(people), day: 1)
        #expect(decision == CapDecision(capped: [], people: 3, cappedPeople: 0))
    }

    @Test func `one occurrence counts once per person`() throws {
        var counter = counter(people)
        count(unit(1), [.accepted, .accepted, .accepted, .rejected], in: &counter)
        #expect(
            try capped(counter, day: 1)
                == CapDecision(capped: [0, 1, 2], people: 3, cappedPeople: 2)
        )
        #expect(try capped(counter, day: 2).capped == [])
    }

    @Test(arguments: [
        (Outcome.accepted, true), (.unknown, true), (.rejected, false), (.expired, false),
        (.suppressed, false), (.cancelled, false), (.returned, false), (.intended, true),
    ])
    func `only messages that FCM accepted, or may have, count`(
        outcome: Outcome,
        counts: Bool
    ) throws {
        var counter = counter(people)
        count(unit(1), Array(repeating: outcome, count: 4), in: &counter)
        #expect(try capped(counter, day: 1).cappedPeople == (counts ? 3 : 0))
    }

    @Test func `an intended request above the mark was not sent`() throws {
        var counter = counter(people)
        count(unit(1, released: 1), Array(repeating: .intended, count: 4), in: &counter)
        #expect(try capped(counter, day: 1).capped == [0, 2])
    }

    @Test func `a person with one accepted and one rejected registration counts`() throws {
        var counter = counter(people)
        count(unit(1), [.rejected, .rejected, .accepted, .rejected], in: &counter)
        #expect(try capped(counter, day: 1).capped == [0, 2])
    }

    @Test func `yesterday counts for the week only`() throws {
        var counter = counter(people)
        count(unit(9), Array(repeating: .accepted, count: 4), in: &counter)
        #expect(try capped(counter, day: 1).cappedPeople == 0)
        #expect(try capped(counter, week: 1).cappedPeople == 3)
        #expect(try capped(counter, day: 1, week: 1).cappedPeople == 3)
    }

    @Test func `a week begins on Monday`() throws {
        // Monday, 2027-01-11, 00:00 and Sunday, 23:00.
        for (hours, isThisWeek) in [(104 as Int64, true), (105, false)] {
            var counter = counter(people)
            count(unit(hours), Array(repeating: .accepted, count: 4), in: &counter)
            #expect(try capped(counter, week: 1).cappedPeople == (isThisWeek ? 3 : 0))
        }
    }

    @Test func `days are those of the person's zone`() throws {
        let people = ListPeople(
            registrations: [1, 2, 3],
            zones: ["Asia/Tokyo", "Atlantic/Azores"],
            zoneNumbers: [1, 2, 0]
        )
        var counter = counter(people)
        // 15:30 UTC of the previous day: 00:30 today in Tokyo.
        let begins = Self.now.advanced(bySeconds: -59_400)
        let unit = ContactUnit(
            id: UnitID(number: 1),
            people: PeopleID(number: 1),
            count: 3,
            released: 3,
            windows: [ContactWindow(begins: begins, zone: "UTC", mark: 0)]
        )
        count(unit, [.accepted, .accepted, .accepted], to: people, in: &counter)
        #expect(try capped(counter, day: 1, requests: [0..<3]).capped == [0])
    }

    @Test func `people without a zone have that of the campaign whose caps are decided`() throws {
        let people = ListPeople(registrations: [1])
        for (zone, isToday) in [("Asia/Tokyo", true), ("UTC", false)] {
            var counter = counter(people, zone: zone)
            let unit = unit(16, count: 1, zone: "Pacific/Apia")
            count(unit, [.accepted], to: people, in: &counter)
            let decision = try capped(counter, day: 1, requests: [0..<1])
            #expect(decision.cappedPeople == (isToday ? 1 : 0))
        }
    }

    @Test func `a message to a list without zones counts on the person's own day`() throws {
        let people = ListPeople(registrations: [1, 2], zones: ["Asia/Tokyo"], zoneNumbers: [1, 0])
        var counter = counter(people)
        let other = ListPeople(registrations: [2, 1])
        // 01:00 today in Tokyo.
        count(unit(16, count: 2), [.accepted, .accepted], to: other, in: &counter)
        #expect(try capped(counter, day: 1, requests: [0..<2]).capped == [0])
    }

    @Test func `the first row that names a zone decides`() throws {
        let people = ListPeople(
            registrations: [1, 2, 3],
            identities: [11, 11, 11],
            zones: ["Asia/Tokyo", "Atlantic/Azores"],
            zoneNumbers: [0, 1, 2]
        )
        var counter = counter(people)
        count(unit(16, count: 3), [.rejected, .rejected, .accepted], to: people, in: &counter)
        #expect(try capped(counter, day: 1, requests: [0..<3]).capped == [0, 1, 2])
    }

    @Test func `the same identity in two lists is one person`() throws {
        var counter = counter(people)
        let other = ListPeople(registrations: [7, 8], identities: [12, 99])
        count(unit(1, count: 2), [.accepted, .accepted], to: other, in: &counter)
        #expect(try capped(counter, day: 1).capped == [1])
    }

    @Test func `several units add up`() throws {
        var counter = counter(people)
        count(unit(1), [.accepted, .rejected, .accepted, .accepted], in: &counter)
        count(unit(2), [.accepted, .rejected, .rejected, .rejected], in: &counter)
        #expect(try capped(counter, day: 2).capped == [0, 2])
        #expect(try capped(counter, day: 1).capped == [0, 2, 3])
    }

    @Test func `a person counts on the day of the first message of an occurrence`() throws {
        // The second window began today, and the request of the first person's second registration
        // was returned before it.
        let unit = ContactUnit(
            id: UnitID(number: 1),
            people: PeopleID(number: 1),
            count: 4,
            released: 4,
            windows: [
                ContactWindow(begins: Self.now.advanced(bySeconds: -36_000), zone: "UTC", mark: 0),
                ContactWindow(
                    begins: Self.now.advanced(bySeconds: -3_600),
                    zone: "UTC",
                    mark: 3,
                    returned: [1..<3]
                ),
            ]
        )
        var counter = counter(people)
        count(unit, Array(repeating: .accepted, count: 4), in: &counter)
        // Person 11 got it yesterday, 12 and 13 today.
        #expect(try capped(counter, day: 1).capped == [1, 3])
        #expect(try capped(counter, week: 1).cappedPeople == 3)
    }

    @Test func `erased rows belong to no person`() throws {
        let people = ListPeople(registrations: [1, 0, 0])
        var counter = counter(people)
        count(unit(1, count: 3), [.accepted, .accepted, .accepted], to: people, in: &counter)
        let decision = try capped(counter, day: 1, requests: [0..<3])
        #expect(decision == CapDecision(capped: [0], people: 1, cappedPeople: 1))
    }

    @Test func `a fan-out counts for its known members`() throws {
        var counter = counter(people)
        let members = counter.members()
        counter.count(unit(1, count: 1), with: .unknown, toMembers: [3, 9], of: members)
        #expect(try capped(counter, day: 1).capped == [0, 2])
        var other = self.counter(people)
        other.count(unit(1, count: 1), with: .rejected, toMembers: [3, 9], of: members)
        #expect(try capped(other, day: 1).capped == [])
    }
}

/// What an occurrence has done itself.
struct OwnCapTests {
    private let people = ListPeople(registrations: [1, 2, 3, 4], identities: [11, 12, 11, 13])

    private func counter() -> CapCounter {
        let zones = PeopleZones(people, database: .system(environment: [:]))
        var counter = CapCounter(of: people, in: zones, at: CapMoment(PlanScene.now, zone: "UTC"))
        let unit = ContactUnit(
            id: UnitID(number: 1),
            people: PeopleID(number: 1),
            count: 4,
            released: 4,
            windows: [ContactWindow(begins: PlanScene.now, zone: "UTC", mark: 0)]
        )
        let shared = counter.shared(with: people)
        counter.count(unit, with: [.accepted, .accepted, .rejected, .rejected], to: shared)
        return counter
    }

    private func own(_ outcomes: [Outcome]) throws -> CapDecision {
        var counter = counter()
        let unit = WorkUnitRecord(
            id: UnitID(number: 2),
            target: .registrations(ListID(text: "aa")),
            count: 4,
            released: outcomes.count { $0 != .intended },
            tally: OutcomeTally()
        )
        counter.note(own: unit, outcomes: outcomes, capped: [])
        let cap = try #require(FrequencyCap(day: 1, week: nil))
        return counter.decide(cap, requests: [2..<4])
    }

    @Test func `a person who was addressed is addressed on all devices`() throws {
        #expect(try own([.accepted, .intended, .intended, .intended]).capped == [])
        #expect(try own([.rejected, .intended, .intended, .intended]).capped == [2])
    }

    @Test func `a person who was left out is left out on all devices`() throws {
        var counter = self.counter()
        let unit = WorkUnitRecord(
            id: UnitID(number: 2),
            target: .registrations(ListID(text: "aa")),
            count: 4,
            released: 1,
            tally: OutcomeTally()
        )
        counter.note(
            own: unit,
            outcomes: [.suppressed, .intended, .intended, .intended],
            capped: [0]
        )
        let cap = try #require(FrequencyCap(day: 9, week: nil))
        #expect(counter.decide(cap, requests: [1..<4]).capped == [2])
    }
}
