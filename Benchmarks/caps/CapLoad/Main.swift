import CampaignModel
import JSON
import Planning
import SQLiteStore
import State
import Time

/// Measures the decision of frequency caps.
///
/// `CapLoad fill STATE PEOPLE REGISTRATIONS OCCURRENCES` creates a state in which occurrences were
/// sent to a list, a third of its people each. `CapLoad decide STATE` decides the caps of another
/// occurrence to the list, and prints the number of people, of those over the cap, and the seconds.
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
        default:
            print("usage: CapLoad fill STATE PEOPLE REGISTRATIONS OCCURRENCES | decide STATE")
        }
    }

    private static func decide(_ path: String) async throws {
        let store = try SQLiteStore.open(path: path)
        let clock = ContinuousClock()
        let start = clock.now
        guard let record = try await store.people(of: Load.name),
            let people = try await store.people(record),
            let cap = FrequencyCap(day: nil, week: Load.cap)
        else { return }
        let reader = CapReader(of: store, zones: .system(environment: [:]))
        let subject = CapSubject(
            people: people,
            record: record,
            unit: nil,
            moment: CapMoment(Load.end, zone: "UTC"),
            cap: cap
        )
        let decision = try await reader.counter(for: subject)
            .decide(cap, requests: [0..<people.count])
        let time = (clock.now - start) / .seconds(1)
        print(decision.people, decision.cappedPeople, time)
    }
}

/// The occurrences of one week to one list.
private struct Load {
    let people: Int
    let registrations: Int
    let occurrences: Int

    static let list = ListID(text: "caps")
    static let name = PeopleName(of: list)
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
        let people = try await store.keepPeople(listPeople, of: Self.name)
        for number in 0..<occurrences {
            try await send(number, to: people, in: run, of: store)
        }
        try await store.finishRun(
            run,
            as: RunEnd(status: .complete, tally: OutcomeTally(), at: Self.end)
        )
    }

    private var listPeople: ListPeople {
        ListPeople(
            registrations: (0..<registrations).map { Self.mixed(UInt64($0) << 1 | 1) },
            identities: (0..<registrations).map { Self.mixed(UInt64(person($0)) << 1) },
            zones: Self.zones,
            zoneNumbers: (0..<registrations).map { UInt16(person($0) % Self.zones.count) + 1 }
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
        let draft = store.draftList(ListShape())
        for first in stride(from: 0, to: registrations, by: PackedRows.maximumCount) {
            let rows = (first..<min(first + PackedRows.maximumCount, registrations))
                .compactMap { Registration("r\($0)") }.map { RegistrationRow($0) }
            draft.append([PackedRows(rows, columns: 0)])
        }
        try await draft.keep(as: Self.list)
        guard let campaign = CampaignID("c\(number)") else { return }
        let occurrence = OccurrenceID(campaign: campaign, slot: .once, revision: 1)
        let unit = try await store.open(
            OpenedOccurrence(
                id: occurrence,
                due: Self.start,
                message: .object([:]),
                target: .registrations(Self.list),
                count: registrations
            ),
            in: run
        )
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
                let isSent = person(request) % 3 == number % 3
                return RequestOutcome(index: request, outcome: isSent ? .accepted : .rejected)
            }
            try await store.record(outcomes, released: range.upperBound, of: unit.id)
        }
        try await store.close(occurrence, as: .finished)
    }

    /// Spreads numbers over all 64 bits (the finalizer of SplitMix64).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
