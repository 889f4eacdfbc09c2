import CampaignModel
import Planning
import RegistrationLists
import RunControl
import Sending
import State
import Time

/// What the frequency cap does to an occurrence.
struct ActiveCaps {
    /// The numbers of the requests to suppress, in ascending order.
    let capped: [Int]
    /// When a day ends in the first of the zones in which people are counted, so that the caps are
    /// decided again.
    let end: Instant?

    static let none = ActiveCaps(capped: [], end: nil)
}

/// An occurrence that is about to be sent, or sent further.
struct OpenedSend {
    let step: SendStep
    let unit: WorkUnitRecord
    /// The requests that may be sent, including those that are skipped.
    let requests: RequestRanges
    let dead: [Int]
    let heldOut: [Int]
    /// The people of the list, if it was read in this run.
    let people: PlannedPeople

    /// The requests that are not skipped.
    var living: RequestRanges {
        let living = requests.subtracting(dead)
        return heldOut.isEmpty ? living : living.subtracting(heldOut)
    }

    /// Returns the same without requests that are not sent yet.
    func without(_ later: [Int]) -> OpenedSend {
        guard !later.isEmpty else { return self }
        return OpenedSend(
            step: step,
            unit: unit,
            requests: requests.subtracting(later),
            dead: dead,
            heldOut: heldOut,
            people: people
        )
    }

    /// Returns the same with only these requests, none of which is skipped.
    func only(_ requests: RequestRanges) -> OpenedSend {
        OpenedSend(
            step: step,
            unit: unit,
            requests: requests,
            dead: [],
            heldOut: [],
            people: people
        )
    }
}

extension Applier {
    /// Keeps the people of the lists that the state stores, as the files describe them now.
    func keepPeople(of plan: Plan) async throws(StateStoreError) {
        for name in plan.people.lists {
            guard try await store.hasList(name.list), let people = plan.people.people(of: name)
            else { continue }
            _ = try await store.keepPeople(people, of: name)
        }
    }

    /// Decides which people are over the cap now, and begins a window of the occurrence.
    ///
    /// The window is recorded before the first request that is sent in it.
    func decideCaps(of opened: OpenedSend) async throws(StateStoreError) -> ActiveCaps {
        guard let caps = opened.step.caps, !opened.requests.isEmpty else { return .none }
        let now = settings.clock.now()
        let active: ActiveCaps
        let record: PeopleID
        switch opened.unit.target {
        case .topic, .condition, .group:
            record = try await members(reachedBy: opened)
            active = .none
        case .registrations(let list):
            let name = PeopleName(of: list, columns: caps.columns)
            let found = try await people(of: name, in: opened)
            record = found.record
            active = try await decide(
                opened,
                of: found.people,
                recordedAs: record,
                at: CapMoment(now, zone: caps.zone)
            )
        }
        let mark = opened.unit.released
        try await store.beginWindow(
            ContactWindow(
                begins: now,
                zone: caps.zone,
                mark: mark,
                returned: opened.requests.ranges(below: mark)
            ),
            of: opened.unit.id,
            to: record
        )
        return active
    }

    private func decide(
        _ opened: OpenedSend,
        of people: ListPeople,
        recordedAs record: PeopleID,
        at moment: CapMoment
    ) async throws(StateStoreError) -> ActiveCaps {
        let reader = CapReader(of: store, zones: project.zones)
        let end = reader.calendars(of: people)
            .nextDay(
                after: moment.instant,
                standard: moment.zone,
                others: try await store.contactZones()
            )
        guard let cap = opened.step.caps?.cap else { return ActiveCaps(capped: [], end: end) }
        let subject = CapSubject(
            people: people,
            record: record,
            unit: opened.unit,
            moment: moment,
            cap: cap
        )
        let decision = try await reader.counter(for: subject)
            .decide(cap, requests: opened.living.all)
        return ActiveCaps(capped: decision.capped, end: end)
    }

    /// Returns the people of a stored list, and their record.
    ///
    /// If nothing knows them, because an earlier run stored the list without them, every registration is a person.
    func people(
        of name: PeopleName,
        in opened: OpenedSend
    ) async throws(StateStoreError) -> (record: PeopleID, people: ListPeople) {
        if let known = try await knownPeople(of: name, in: opened) { return known }
        let people = try await registrations(of: name.list, count: opened.unit.count)
        return (try await store.keepPeople(people, of: name), people)
    }

    /// Returns the people of a stored list without reading the list; nil if nothing knows them.
    ///
    /// A unit that has begun keeps its people.
    func knownPeople(
        of name: PeopleName,
        in opened: OpenedSend
    ) async throws(StateStoreError) -> (record: PeopleID, people: ListPeople)? {
        if let record = try await store.people(of: opened.unit.id),
            let people = try await store.people(record)
        {
            return (record, people)
        }
        if let people = opened.people.people(of: name) {
            return (try await store.keepPeople(people, of: name), people)
        }
        if let record = try await store.people(of: name),
            let people = try await store.people(record)
        {
            return (record, people)
        }
        return nil
    }

    private func registrations(
        of list: ListID,
        count: Int
    ) async throws(StateStoreError) -> ListPeople {
        var found: [UInt64] = []
        while found.count < count {
            let rows = try await store.registrations(
                of: list,
                from: found.count,
                count: PageSize.rows
            )
            guard !rows.isEmpty else { break }
            found += rows.map { project.fingerprinter.fingerprint(of: $0).high }
        }
        return ListPeople(registrations: found)
    }

    private func members(reachedBy opened: OpenedSend) async throws(StateStoreError) -> PeopleID {
        if let record = try await store.people(of: opened.unit.id) { return record }
        let members = try await ManagedMembers(of: store).members(reachedBy: opened.step.target)
        return try await store.keepMembers(ListPeople(registrations: members))
    }

    /// Waits until a day has ended, but not longer if the clock does not advance.
    func waitForDay(_ end: Instant) async {
        for _ in 0..<Self.longestWait where settings.clock.now() < end && !settings.stop.isRaised {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// In tenths of a second; dispatching ends at most a second before the day does.
    private static let longestWait = 20
}
