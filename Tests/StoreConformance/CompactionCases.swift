import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreCases {
    static let compactionCases = [
        StoreCase("keeps only the counts of occurrences that finished before a time") { state in
            let store = try await state.open()
            let unit = try await sent(.accepted, store)
            let late = StoreFixtures.due.advanced(bySeconds: 100)
            #expect(try await store.compact(finishedBefore: late, at: late) == 0)
            #expect(
                try await store.compact(finishedBefore: late.advanced(bySeconds: 1), at: late) == 1
            )
            let record = try #require(try await store.appliedState().occurrences.values.first)
            #expect(record.unit?.compacted == late)
            #expect(record.unit?.tally[.accepted] == 2)
            await #expect(throws: StateStoreError.self) {
                try await store.outcomes(of: unit, in: 0..<2)
            }
            #expect(try await store.details(of: unit, in: 0..<2) == [:])
            #expect(
                try await store.compact(finishedBefore: late.advanced(bySeconds: 1), at: late) == 0
            )
        },
        StoreCase("never compacts unknown outcomes") { state in
            let store = try await state.open()
            let unit = try await sent(.unknown, store)
            let late = StoreFixtures.due.advanced(bySeconds: 1_000)
            #expect(try await store.compact(finishedBefore: late, at: late) == 0)
            #expect(try await store.outcomes(of: unit, in: 0..<2) == [.unknown, .unknown])
        },
    ]

    /// Records an occurrence with two requests that ended 100 seconds after its due time.
    private static func sent(_ outcome: Outcome, _ store: any StateStore) async throws -> UnitID {
        let list = ListID(text: String(repeating: "0f", count: 32))
        try await store.store(StoreFixtures.registrations(0..<2), as: list)
        let run = try await store.beginRun(StoreFixtures.worker)
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: StoreFixtures.due,
            message: [:],
            target: .registrations(list),
            count: 2
        )
        let unit = try await store.open(opened, in: run)
        let outcomes = (0..<2).map { RequestOutcome(index: $0, outcome: outcome, detail: "why") }
        try await store.record(outcomes, released: 2, of: unit.id)
        try await store.close(opened.id, as: .finished)
        try await store.finishRun(
            run,
            as: RunEnd(
                status: .complete,
                tally: OutcomeTally(),
                at: StoreFixtures.due.advanced(bySeconds: 100)
            )
        )
        return unit.id
    }
}
