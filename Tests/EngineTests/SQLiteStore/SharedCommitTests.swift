import CampaignModel
import JSON
import SQLiteStore
import State
import StoreConformance
import StoreTables
import Testing

/// Tests changes that share a commit, because their callers wait at the same time.
struct SharedCommitTests {
    private let folder: StateFolder
    private let store: SQLiteStore
    private let run: RunID

    init() async throws {
        folder = try StateFolder()
        store = try folder.open()
        run = try await store.beginRun(StoreFixtures.worker)
    }

    private func opened(_ campaign: String) throws -> OpenedOccurrence {
        OpenedOccurrence(
            id: try StoreFixtures.occurrence(campaign),
            due: StoreFixtures.due,
            message: ["topic": "news"],
            target: .topic(try #require(Topic("news"))),
            count: 4
        )
    }

    /// Calls `body` for all numbers at once, and returns how often it threw.
    private func failures(
        _ numbers: Range<Int>,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in numbers {
                group.addTask {
                    do {
                        try await body(number)
                        return false
                    } catch {
                        return true
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func `an error of one change has no effect on the others`() async throws {
        var units: [UnitID] = []
        for number in 0..<40 {
            let unit = try await store.open(try opened("c\(number)"), in: run)
            _ = try await store.beginFlightNotes(of: unit.id, room: 4)
            units.append(unit.id)
        }
        let (store, all) = (store, units)
        let count = await failures(0..<40) { number in
            // A unit has only four requests.
            let index = number.isMultiple(of: 4) ? 9 : 1
            try await store.record(
                [RequestOutcome(index: index, outcome: .accepted)],
                released: 3,
                of: all[number]
            )
        }
        #expect(count == 10)
        for (number, unit) in units.enumerated() {
            let record = try await store.unit(unit)
            let isRight = !number.isMultiple(of: 4)
            #expect(record.released == (isRight ? 3 : 0))
            #expect(record.tally[.accepted] == (isRight ? 1 : 0))
            // The notes are still those of the state.
            if isRight { #expect(try await store.flightRecords(of: unit) == [:]) }
        }
    }

    @Test func `an occurrence opens once, however many try at the same time`() async throws {
        let (store, run) = (store, run)
        let sale = try opened("sale")
        let count = await failures(0..<20) { _ in _ = try await store.open(sale, in: run) }
        #expect(count == 19)
        let unit = try #require(try await store.occurrence(sale.id)?.unit)
        #expect(unit.count == 4)
        #expect(try await store.occurrences(.dispatching).count == 1)
    }

    @Test func `occurrences that are opened together keep their notes if others cannot be opened`()
        async throws
    {
        let (store, run) = (store, run)
        // A unit has only four requests.
        let wrong = [RequestOutcome(index: 9, outcome: .suppressed)]
        let openings = try (0..<20).map { number in
            [
                StartingOccurrence(try opened("first-\(number)"), released: 4),
                StartingOccurrence(
                    try opened("second-\(number)"),
                    outcomes: number.isMultiple(of: 4) ? wrong : [],
                    released: 4
                ),
            ]
        }
        let count = await failures(0..<20) { number in
            for started in try await store.start(openings[number], in: run) {
                started.notes?.note(.written(repeatedAfter: nil), of: number % 4)
            }
        }
        #expect(count == 5)
        let records = try await store.occurrences(.dispatching)
        #expect(records.count == 30)
        for record in records {
            let unit = try #require(record.unit)
            #expect(unit.released == 4)
            #expect(try await store.flightRecords(of: unit.id)?.count == 1)
        }
    }

    @Test func `the changes of a send follow each other`() async throws {
        let (store, run) = (store, run)
        let names = try (0..<20).map { try opened("c\($0)") }
        let count = await failures(0..<20) { number in
            let unit = try await store.open(names[number], in: run)
            for request in 0..<4 {
                try await store.record(
                    [RequestOutcome(index: request, outcome: .accepted)],
                    released: request + 1,
                    of: unit.id
                )
            }
            try await store.close(names[number].id, as: .finished)
        }
        #expect(count == 0)
        #expect(try await store.occurrences(.dispatching).isEmpty)
        for name in names {
            let record = try #require(try await store.occurrence(name.id))
            #expect(record.status == .finished)
            #expect(record.unit?.tally[.accepted] == 4)
        }
    }
}
