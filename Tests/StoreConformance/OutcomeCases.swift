import CampaignModel
import State
import Testing

extension StoreCases {
    static let outcomeCases = [
        StoreCase("stores outcomes with their details and counts them") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 6).id
            let outcomes = [
                RequestOutcome(index: 4, outcome: .rejected, detail: "UNREGISTERED"),
                RequestOutcome(index: 0, outcome: .accepted),
                RequestOutcome(index: 2, outcome: .rejected),
            ]
            try await store.record(outcomes, released: 5, of: unit)
            let other = try await state.open()
            #expect(
                try await other.outcomes(of: unit, in: 0..<6)
                    == [.accepted, .intended, .rejected, .intended, .rejected, .intended]
            )
            #expect(try await other.outcomes(of: unit, in: 4..<5) == [.rejected])
            #expect(try await other.outcomes(of: unit, in: 6..<6) == [])
            #expect(
                try await other.requests(of: unit, with: .rejected, limit: 10)
                    == [RequestOutcome(index: 2, outcome: .rejected), outcomes[0]]
            )
            #expect(
                try await other.requests(of: unit, with: .intended, limit: 2).map(\.index) == [
                    1, 3,
                ]
            )
            let record = try await StoreFixtures.unit(of: "sale", in: other)
            #expect(record.released == 5)
            #expect(
                record.tally == StoreFixtures.tally([.intended: 3, .accepted: 1, .rejected: 2])
            )
        },
        StoreCase("a later outcome replaces the earlier one and its detail") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 2).id
            try await store.record(
                [RequestOutcome(index: 1, outcome: .unknown, detail: "503")],
                released: 2,
                of: unit
            )
            try await store.record(
                [
                    RequestOutcome(index: 1, outcome: .rejected, detail: "x"),
                    RequestOutcome(index: 1, outcome: .intended),
                ],
                released: nil,
                of: unit
            )
            #expect(
                try await store.requests(of: unit, with: .intended, limit: 9)
                    == [
                        RequestOutcome(index: 0, outcome: .intended),
                        RequestOutcome(index: 1, outcome: .intended),
                    ]
            )
            let record = try await StoreFixtures.unit(of: "sale", in: store)
            #expect(record.tally == StoreFixtures.tally([.intended: 2]))
        },
        StoreCase("the released mark can rise without outcomes and never decreases") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 100).id
            for (given, expected) in [(40, 40), (10, 40), (nil, 40), (100, 100), (0, 100)] {
                try await store.record([], released: given, of: unit)
                #expect(try await StoreFixtures.unit(of: "sale", in: store).released == expected)
            }
        },
        StoreCase("refuses a whole call if one of its requests is not in the unit") {
            state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 4_097).id
            for index in [-1, 4_097] {
                await #expect(throws: StateStoreError.self) {
                    try await store.record(
                        [
                            RequestOutcome(index: 0, outcome: .accepted),
                            RequestOutcome(index: index, outcome: .accepted),
                        ],
                        released: 1,
                        of: unit
                    )
                }
            }
            await #expect(throws: StateStoreError.self) {
                try await store.record([], released: 4_098, of: unit)
            }
            await #expect(throws: StateStoreError.self) {
                try await store.outcomes(of: unit, in: 4_090..<4_098)
            }
            await #expect(throws: StateStoreError.self) {
                try await store.record([], released: 1, of: UnitID(number: unit.number + 1))
            }
            let record = try await StoreFixtures.unit(of: "sale", in: store)
            #expect(record.released == 0)
            #expect(record.tally[.intended] == 4_097)
        },
        StoreCase("counts all of 100,000 requests that are answered in any order") { state in
            let store = try await state.open()
            let count = 100_000
            let unit = try await StoreFixtures.openedUnit(store, count: count).id
            // 7,919 has no factor in common with the count, so every request appears once.
            for start in stride(from: 0, to: count, by: 5_000) {
                let outcomes = (start..<start + 5_000).map { step in
                    RequestOutcome(
                        index: step * 7_919 % count,
                        outcome: step % 10 == 0 ? .unknown : .accepted
                    )
                }
                try await store.record(outcomes, released: count, of: unit)
            }
            let record = try await StoreFixtures.unit(of: "sale", in: store)
            #expect(record.tally == StoreFixtures.tally([.accepted: 90_000, .unknown: 10_000]))
            let outcomes = try await store.outcomes(of: unit, in: 0..<count)
            #expect(outcomes.count { $0 == .unknown } == 10_000)
            #expect(outcomes[7_919] == .accepted && outcomes[10 * 7_919] == .unknown)
        },
        StoreCase("any sequence of records has the same result as in a dictionary") { state in
            for seed in 1...4 {
                let store = try await state.open()
                try await OutcomeModel(seed: UInt64(seed)).compare(
                    with: store,
                    campaign: "c\(seed)"
                )
            }
        },
        StoreCase("returns details by request, and counts them by content") { state in
            let store = try await state.open()
            let unit = try await StoreFixtures.openedUnit(store, count: 9_000)
            let outcomes = [
                RequestOutcome(index: 3, outcome: .rejected, detail: "a"),
                RequestOutcome(index: 4, outcome: .accepted),
                RequestOutcome(index: 8_999, outcome: .accepted, detail: "x, repeated after 503"),
            ]
            try await store.record(outcomes, released: 9_000, of: unit.id)
            #expect(
                try await store.details(of: unit.id, in: 0..<9_000) == [
                    3: "a", 8_999: "x, repeated after 503",
                ]
            )
            #expect(try await store.details(of: unit.id, in: 4..<8_999) == [:])
            #expect(try await store.repeatCount(of: unit.id) == 1)
        },
    ]
}
