import CampaignModel
import JSON
import State
import Testing
import Time

extension StoreCases {
    static let shortOccurrenceCases = [
        StoreCase("occurrences are opened together with their marks") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let started = try await store.start(
                [
                    try starting("first", 3, released: 3),
                    try starting(
                        "second",
                        4,
                        outcomes: [
                            RequestOutcome(
                                index: 1,
                                outcome: .suppressed,
                                detail: OutcomeDetail.dead
                            )
                        ],
                        released: 3
                    ),
                ],
                in: run
            )
            #expect(started.map(\.unit.count) == [3, 4])
            #expect(started.map(\.unit.released) == [0, 0])
            #expect(started.map { $0.unit.tally[.intended] } == [3, 4])
            let reader = try await state.open()
            let first = try await StoreFixtures.unit(of: "first", in: reader)
            let second = try await StoreFixtures.unit(of: "second", in: reader)
            #expect([first.id, second.id] == started.map(\.unit.id))
            #expect([first.released, second.released] == [3, 3])
            #expect([first.open, second.open] == [3, 2])
            #expect(second.tally == StoreFixtures.tally([.intended: 3, .suppressed: 1]))
            let outcomes: [Outcome] = [.intended, .suppressed, .intended, .intended]
            #expect(try await reader.outcomes(of: second.id, in: 0..<4) == outcomes)
            #expect(try await reader.occurrences(.dispatching).count == 2)
        },
        StoreCase("no occurrence is opened if one of them has started") { state in
            let store = try await state.open()
            try await StoreFixtures.openedUnit(store, campaign: "second", count: 2)
            let run = try await store.beginRun(StoreFixtures.worker)
            let before = try await store.appliedState().occurrences
            await #expect(throws: StateStoreError.self) {
                _ = try await store.start(
                    [
                        try starting("first", 3, released: 3),
                        try starting("second", 2, released: 2),
                    ],
                    in: run
                )
            }
            #expect(try await store.appliedState().occurrences == before)
            _ = try await store.start([try starting("first", 3, released: 3)], in: run)
        },
        StoreCase("occurrences finish together with their outcomes and their history") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let names = ["first", "second"]
            let started = try await store.start(
                try names.map { try starting($0, 2, released: 2) },
                in: run
            )
            let tally = StoreFixtures.tally([.accepted: 2])
            let objective = try #require(Objective("90% in 2m"))
            try await store.finish(
                try zip(names, started).map { name, started in
                    FinishingOccurrence(
                        unit: started.unit.id,
                        outcomes: (0..<2).map { RequestOutcome(index: $0, outcome: .accepted) },
                        sending: RunOccurrence(
                            occurrence: try StoreFixtures.occurrence(name),
                            tally: tally
                        ),
                        reached: name == "first" ? ReachedObjective(objective, after: 3) : nil
                    )
                },
                in: run
            )
            let reader = try await state.open()
            for name in names {
                let id = try StoreFixtures.occurrence(name)
                let record = try #require(try await reader.occurrence(id))
                #expect(record.status == .finished)
                #expect(record.unit?.tally == tally)
                #expect(record.unit?.open == 0)
                #expect(record.objective == (name == "first" ? objective : nil))
                #expect(record.reachedAfter == (name == "first" ? 3 : nil))
            }
            let sendings = try await reader.sendings(of: run)
            #expect(
                try sendings.map(\.occurrence) == names.map { try StoreFixtures.occurrence($0) }
            )
            #expect(sendings.map(\.tally) == [tally, tally])
            #expect(try await reader.verifyHistory().isIntact)
        },
        StoreCase("no occurrence finishes if one of them cannot") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let started = try await store.start([try starting("first", 1, released: 1)], in: run)
            func finishing(_ campaign: String) throws -> FinishingOccurrence {
                FinishingOccurrence(
                    unit: started[0].unit.id,
                    outcomes: [RequestOutcome(index: 0, outcome: .accepted)],
                    sending: RunOccurrence(
                        occurrence: try StoreFixtures.occurrence(campaign),
                        tally: StoreFixtures.tally([.accepted: 1])
                    )
                )
            }
            await #expect(throws: StateStoreError.self) {
                try await store.finish([finishing("first"), finishing("none")], in: run)
            }
            let unit = try await StoreFixtures.unit(of: "first", in: store)
            #expect(unit.open == 1)
            #expect(try await store.sendings(of: run).isEmpty)
            #expect(try await store.occurrences(.dispatching).count == 1)
        },
    ]

    private static func starting(
        _ campaign: String,
        _ count: Int,
        outcomes: [RequestOutcome] = [],
        released: Int
    ) throws -> StartingOccurrence {
        StartingOccurrence(
            OpenedOccurrence(
                id: try StoreFixtures.occurrence(campaign),
                due: StoreFixtures.due,
                message: ["topic": "news"],
                target: .topic(try #require(Topic("news"))),
                count: count
            ),
            outcomes: outcomes,
            released: released
        )
    }
}
