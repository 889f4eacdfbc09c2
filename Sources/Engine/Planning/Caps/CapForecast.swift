package import CampaignModel
import RegistrationLists
import State
import Time

/// What the frequency cap probably does to the sends of a plan.
package struct CapForecast: Hashable, Sendable {
    /// The decisions about sends to lists that are due and not exempt.
    package let decisions: [OccurrenceID: CapDecision]
    /// The number of known members for which each send to a topic, condition or group counts.
    package let members: [OccurrenceID: Int]

    package static let none = CapForecast(decisions: [:], members: [:])
}

extension Planner {
    /// Predicts the caps of due sends, one after the other.
    ///
    /// Lists that are read when their sends begin are unknown. A plan from the state alone has no
    /// reader.
    func forecastCaps(
        of sends: [SendStep],
        among people: PlannedPeople
    ) async throws(PlanningError) -> CapForecast {
        guard !isFromState, sends.contains(where: { $0.caps != nil }) else { return .none }
        var forecaster = CapForecaster(planner: self, people: people)
        for send in sends {
            try await reading { () async throws(StateStoreError) in
                try await forecaster.add(send)
            }
        }
        return forecaster.forecast
    }
}

extension CapForecast {
    /// The notices about sends that are capped, and about those that cannot be.
    func notices(of sends: [SendStep]) -> [PlanNotice] {
        sends.compactMap { send in
            if let count = members[send.occurrence] {
                return .countedFanOut(send.occurrence, members: count)
            }
            guard let decision = decisions[send.occurrence], decision.cappedPeople > 0 else {
                return nil
            }
            return .capped(
                send.occurrence,
                people: decision.cappedPeople,
                of: decision.people
            )
        }
    }
}

/// Predicts the caps of sends in order, as if FCM accepted every message.
private struct CapForecaster {
    private let planner: Planner
    private let people: PlannedPeople
    private let reader: CapReader
    private var decisions: [OccurrenceID: CapDecision] = [:]
    private var members: [OccurrenceID: Int] = [:]
    private var planned: [Planned] = []
    /// The people of lists of the plan: one copy serves all sends to a list.
    private var known: [PeopleName: ListPeople] = [:]

    /// A send that was predicted.
    private struct Planned {
        let unit: ContactUnit
        let people: ListPeople
        let outcomes: [Outcome]
        let isFanOut: Bool
    }

    init(planner: Planner, people: PlannedPeople) {
        self.planner = planner
        self.people = people
        reader = CapReader(of: planner.store, zones: planner.zones)
    }

    var forecast: CapForecast { CapForecast(decisions: decisions, members: members) }

    mutating func add(_ send: SendStep) async throws(StateStoreError) {
        guard let caps = send.caps else { return }
        switch send.target {
        case .topic, .condition, .group: try await addFanOut(send, in: caps.zone)
        case .listAtSend: break
        case .list(_, let list, _):
            let name = PeopleName(of: list, columns: caps.columns)
            guard let people = known[name] ?? people.people(of: name) else { return }
            known[name] = people
            try await add(send, to: people, recordedAs: nil, as: caps)
        case .part(let part, _):
            let name = PeopleName(of: part.list, columns: caps.columns)
            guard let people = known[name] ?? people.people(of: name) else { return }
            known[name] = people
            try await add(send, to: people.only(part.rows), recordedAs: nil, as: caps)
        case .stored(let list, _):
            let name = PeopleName(of: list, columns: caps.columns)
            guard let record = try await record(of: send, named: name),
                let people = try await planner.store.people(record)
            else { return }
            try await add(send, to: people, recordedAs: record, as: caps)
        }
    }

    /// Returns the people of a unit that has begun, or those that are current.
    private func record(
        of send: SendStep,
        named name: PeopleName
    ) async throws(StateStoreError) -> PeopleID? {
        if let unit = send.unit, let record = try await planner.store.people(of: unit.id) {
            return record
        }
        return try await planner.store.people(of: name)
    }

    private mutating func addFanOut(
        _ send: SendStep,
        in zone: String
    ) async throws(StateStoreError) {
        let reached = try await ManagedMembers(of: planner.store).members(reachedBy: send.target)
        members[send.occurrence] = reached.count
        plan([.accepted], to: ListPeople(registrations: reached), in: zone, isFanOut: true)
    }

    private mutating func add(
        _ send: SendStep,
        to people: ListPeople,
        recordedAs record: PeopleID?,
        as caps: SendCaps
    ) async throws(StateStoreError) {
        var outcomes = try await rest(of: send, count: people.count)
        let requests = outcomes.ranges(of: .accepted)
        if let cap = caps.cap {
            let subject = CapSubject(
                people: people,
                record: record,
                unit: send.unit,
                moment: CapMoment(planner.now, zone: caps.zone),
                cap: cap
            )
            var counter = try await reader.counter(for: subject)
            count(in: &counter)
            let decision = counter.decide(cap, requests: requests)
            decisions[send.occurrence] = decision
            for request in decision.capped { outcomes[request] = .suppressed }
        }
        plan(outcomes, to: people, in: caps.zone, isFanOut: false)
    }

    /// Returns `.accepted` for the requests that are sent now, and `.suppressed` for the others.
    private func rest(of send: SendStep, count: Int) async throws(StateStoreError) -> [Outcome] {
        var outcomes = [Outcome](repeating: .accepted, count: count)
        if let unit = send.unit {
            let recorded = try await planner.store.outcomes(of: unit.id, in: 0..<unit.count)
            for (request, outcome) in recorded.prefix(count).enumerated()
            where !unit.maySend(request, outcome: outcome) {
                outcomes[request] = .suppressed
            }
        }
        for request in send.skipped where request < count { outcomes[request] = .suppressed }
        return outcomes
    }

    private func count(in counter: inout CapCounter) {
        let members = planned.contains(where: \.isFanOut) ? counter.members() : nil
        for planned in planned {
            if planned.isFanOut, let members {
                counter.count(
                    planned.unit,
                    with: .accepted,
                    toMembers: planned.people.registrations,
                    of: members
                )
            } else {
                let shared = counter.shared(with: planned.people)
                counter.count(planned.unit, with: planned.outcomes, to: shared)
            }
        }
    }

    private mutating func plan(
        _ outcomes: [Outcome],
        to people: ListPeople,
        in zone: String,
        isFanOut: Bool
    ) {
        // No recorded unit has this number.
        let id = UnitID(number: -1)
        let window = ContactWindow(begins: planner.now, zone: zone, mark: 0)
        planned.append(
            Planned(
                unit: ContactUnit(
                    id: id,
                    people: PeopleID(number: -1),
                    isFanOut: isFanOut,
                    count: outcomes.count,
                    released: outcomes.count,
                    windows: [window]
                ),
                people: people,
                outcomes: outcomes,
                isFanOut: isFanOut
            )
        )
    }
}

extension [Outcome] {
    /// Returns the places of an outcome, in ascending order.
    fileprivate func ranges(of outcome: Outcome) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for (place, other) in enumerated() where other == outcome {
            if let last = ranges.last, last.upperBound == place {
                ranges[ranges.count - 1] = last.lowerBound..<place + 1
            } else {
                ranges.append(place..<place + 1)
            }
        }
        return ranges
    }
}
