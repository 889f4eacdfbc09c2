import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreConformance {
    static let compactionCases = [
        StoreCase("of what finished before a moment only the counts are left") { state in
            let store = try state.open()
            let unit = try sent(.accepted, store)
            let late = StoreFixtures.due.advanced(bySeconds: 100)
            #expect(try store.compact(finishedBefore: late, at: late) == 0)
            #expect(try store.compact(finishedBefore: late.advanced(bySeconds: 1), at: late) == 1)
            let record = try #require(try store.appliedState().occurrences.values.first)
            #expect(record.unit?.compacted == late)
            #expect(record.unit?.tally[.accepted] == 2)
            #expect(throws: StateStoreError.self) { try store.outcomes(of: unit, in: 0..<2) }
            #expect(try store.details(of: unit, in: 0..<2) == [:])
            #expect(try store.compact(finishedBefore: late.advanced(bySeconds: 1), at: late) == 0)
        },
        StoreCase("what is unknown is never compacted") { state in
            let store = try state.open()
            let unit = try sent(.unknown, store)
            let late = StoreFixtures.due.advanced(bySeconds: 1_000)
            #expect(try store.compact(finishedBefore: late, at: late) == 0)
            #expect(try store.outcomes(of: unit, in: 0..<2) == [.unknown, .unknown])
        },
    ]

    /// Records an occurrence with two requests that ended 100 seconds after its due time.
    private static func sent(_ outcome: Outcome, _ store: any StateStore) throws -> UnitID {
        let list = ListID(text: String(repeating: "0f", count: 32))
        try store.beginList(list)
        try store.append(StoreFixtures.registrations(0..<2), to: list, first: 0)
        let run = try store.beginRun(StoreFixtures.worker)
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: StoreFixtures.due,
            message: [:],
            target: .registrations(list),
            count: 2
        )
        let unit = try store.open(opened, in: run)
        let outcomes = (0..<2).map { RequestOutcome(index: $0, outcome: outcome, detail: "why") }
        try store.record(outcomes, released: 2, of: unit.id)
        try store.close(opened.id, as: .finished)
        try store.finishRun(
            run,
            status: .complete,
            tally: OutcomeTally(),
            cause: nil,
            at: StoreFixtures.due.advanced(bySeconds: 100)
        )
        return unit.id
    }
}
