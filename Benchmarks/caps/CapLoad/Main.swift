import CampaignModel
import JSON
import Planning
import SQLiteStore
import State
import StoreTables
import Time

/// Measures the decision of frequency caps.
///
/// `CapLoad fill STATE PEOPLE REGISTRATIONS OCCURRENCES` creates a state in which occurrences were
/// sent to two lists of the same people in turn, a third of the people each. Another occurrence to
/// the first list was interrupted after half of its requests, which the cap suppressed.
/// `CapLoad decide STATE` decides the caps of a new occurrence to the first list, and
/// `CapLoad again STATE` those of the rest of the interrupted one. Both print the number of people,
/// of those over the cap, and the seconds.
@main
enum CapLoad {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }
        switch (arguments.first, numbers.count) {
        case ("fill", 3):
            let load = Load(people: numbers[0], registrations: numbers[1], occurrences: numbers[2])
            try await load.fill(arguments[2])
        case ("decide", 0) where arguments.count == 2: try await decide(arguments[2])
        case ("again", 0) where arguments.count == 2: try await decide(arguments[2], isRest: true)
        default:
            print("usage: CapLoad fill STATE PEOPLE REGISTRATIONS OCCURRENCES")
            print("       CapLoad decide STATE")
            print("       CapLoad again STATE")
        }
    }

    /// `isRest`: decides the rest of the interrupted occurrence.
    private static func decide(_ path: String, isRest: Bool = false) async throws {
        let store = try SQLiteStore.open(path: path)
        let clock = ContinuousClock()
        let start = clock.now
        guard let record = try await store.people(of: Load.name),
            let people = try await store.people(record),
            let cap = FrequencyCap(day: nil, week: Load.cap)
        else { return }
        var unit: WorkUnitRecord?
        if isRest, let last = try await store.contacts(since: Load.end).last {
            unit = try await store.unit(last.id)
        }
        let reader = CapReader(of: store, zones: .system(environment: [:]))
        let subject = CapSubject(
            people: people,
            record: record,
            unit: unit,
            moment: CapMoment(Load.end, zone: "UTC"),
            cap: cap
        )
        let decision = try await reader.counter(for: subject)
            .decide(cap, requests: [(unit?.released ?? 0)..<people.count])
        let time = (clock.now - start) / .seconds(1)
        print(decision.people, decision.cappedPeople, time)
    }
}

/// The occurrences of one week to two lists, which have the same registrations in another order.
private struct Load {
    let people: Int
    let registrations: Int
    let occurrences: Int

    static let lists = [ListID(text: "caps"), ListID(text: "other")]
    static let name = PeopleName(of: lists[0])
    static let cap = 3
    /// A Monday at noon, UTC.
    private static let start = Instant(secondsSince1970: 1_798_459_200)
    static let end = start.advanced(bySeconds: 86_400)
    private static let zones = ["Atlantic/Azores", "Europe/Berlin", "Asia/Kolkata"]
    /// Number of outcomes per record.
    private static let batch = 65_536

    func fill(_ path: String) async throws {
        try SQLiteStore.makeDraft(path: path, lineage: nil, key: nil)
        let store = try SQLiteStore.open(path: path)
        let run = try await store.beginRun(
            Worker(command: "bench", user: "", host: "", processID: 0, since: Self.start)
        )
        let people = [
            try await store.keepPeople(listPeople(isReversed: false), of: Self.name),
            try await store.keepPeople(
                listPeople(isReversed: true),
                of: PeopleName(of: Self.lists[1])
            ),
        ]
        for number in 0..<occurrences {
            try await send(number, to: people[number % 2], in: run, of: store)
        }
        try await interrupt(to: people[0], in: run, of: store)
        try await store.finishRun(
            run,
            as: RunEnd(status: .complete, tally: OutcomeTally(), at: Self.end)
        )
    }

    private func listPeople(isReversed: Bool) -> ListPeople {
        let all = isReversed ? (0..<registrations).reversed() : Array(0..<registrations)
        return ListPeople(
            registrations: all.map { Self.mixed(UInt64($0) << 1 | 1) },
            // 0 is that of a row without an identity.
            identities: all.map { Self.mixed(UInt64(person($0) + 1) << 1) },
            zones: Self.zones,
            zoneNumbers: all.map { UInt16(person($0) % Self.zones.count) + 1 }
        )
    }

    /// The person of a registration, whose other registrations are elsewhere in the list.
    private func person(_ registration: Int) -> Int { registration % people }

    private func send(
        _ number: Int,
        to people: PeopleID,
        in run: RunID,
        of store: SQLiteStore
    ) async throws {
        let (occurrence, unit) = try await open(number, in: run, of: store)
        let hours = Int64(number % 24)
        let begin = Self.start.advanced(bySeconds: hours * 3_600)
        try await store.beginWindow(
            ContactWindow(begins: begin, zone: "UTC", mark: 0),
            of: unit.id,
            to: people
        )
        for first in stride(from: 0, to: registrations, by: Self.batch) {
            let range = first..<min(first + Self.batch, registrations)
            let outcomes = range.map { request in
                let row = number % 2 == 0 ? request : registrations - 1 - request
                let isSent = person(row) % 3 == number / 2 % 3
                return RequestOutcome(index: request, outcome: isSent ? .accepted : .rejected)
            }
            try await store.record(outcomes, released: range.upperBound, of: unit.id)
        }
        try await store.close(occurrence, as: .finished)
    }

    /// Opens an occurrence to one of the lists, whose registrations are stored first.
    private func open(
        _ number: Int,
        in run: RunID,
        of store: SQLiteStore
    ) async throws -> (OccurrenceID, WorkUnitRecord) {
        let list = Self.lists[number % 2]
        let draft = store.draftList(ListShape())
        for first in stride(from: 0, to: registrations, by: PackedRows.maximumCount) {
            let rows = (first..<min(first + PackedRows.maximumCount, registrations))
                .compactMap { Registration("r\($0)") }.map { RegistrationRow($0) }
            draft.append([PackedRows(rows, columns: 0)])
        }
        try await draft.keep(as: list)
        guard let campaign = CampaignID("c\(number)") else { fatalError("no campaign's name") }
        let occurrence = OccurrenceID(campaign: campaign, slot: .once, revision: 1)
        let unit = try await store.open(
            OpenedOccurrence(
                id: occurrence,
                due: Self.start,
                message: .object([:]),
                target: .registrations(list),
                count: registrations
            ),
            in: run
        )
        return (occurrence, unit)
    }

    /// Suppresses the first half of an occurrence to the first list.
    private func interrupt(
        to people: PeopleID,
        in run: RunID,
        of store: SQLiteStore
    ) async throws {
        let (_, unit) = try await open(occurrences + occurrences % 2, in: run, of: store)
        try await store.beginWindow(
            ContactWindow(begins: Self.end, zone: "UTC", mark: 0),
            of: unit.id,
            to: people
        )
        for first in stride(from: 0, to: registrations / 2, by: Self.batch) {
            let range = first..<min(first + Self.batch, registrations / 2)
            let outcomes = range.map {
                RequestOutcome(index: $0, outcome: .suppressed, detail: OutcomeDetail.cap)
            }
            try await store.record(outcomes, released: range.upperBound, of: unit.id)
        }
    }

    /// Spreads numbers over all 64 bits (the finalizer of SplitMix64).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
