import CampaignModel
import FCMWire
import JSON
import State
import Testing

extension StoreCases {
    private static func opened(
        _ store: any StateStore,
        _ campaign: String = "sale",
        count: Int,
        keepsIDs: Bool = true
    ) async throws -> WorkUnitRecord {
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence(campaign),
            due: StoreFixtures.due,
            message: [:],
            target: .topic(try #require(Topic("news"))),
            count: count,
            keepsIDs: keepsIDs
        )
        return try await store.open(opened, in: try await store.beginRun(StoreFixtures.worker))
    }

    private static func accepted(_ number: Int, _ id: String?) -> RequestOutcome {
        RequestOutcome(index: number, outcome: .accepted, messageID: id)
    }

    static let messageIDCases = [
        StoreCase("stores message IDs in the order of the requests") { state in
            let store = try await state.open()
            let unit = try await opened(store, count: 9)
            #expect(unit.keepsIDs)
            let prefix = "projects/shop/messages/"
            try await store.record(
                [accepted(7, prefix + "0:7"), accepted(2, prefix + "0:2")],
                released: 9,
                of: unit.id
            )
            try await store.record(
                [accepted(0, "odd/ß"), accepted(3, nil)],
                released: nil,
                of: unit.id
            )
            try await store.record([accepted(8, prefix)], released: nil, of: unit.id)
            let other = try await state.open()
            func ids(_ first: Int, _ count: Int) async throws -> [String] {
                try await other.messageIDs(of: unit.id, from: first, count: count).map {
                    "\($0.request) \($0.id)"
                }
            }
            #expect(
                try await ids(0, 9) == [
                    "0 odd/ß", "2 \(prefix)0:2", "7 \(prefix)0:7", "8 \(prefix)",
                ]
            )
            #expect(try await ids(1, 7) == ["2 \(prefix)0:2", "7 \(prefix)0:7"])
            #expect(try await ids(3, 4) == [])
            #expect(try await ids(9, .max) == [])
            #expect(try await StoreFixtures.unit(of: "sale", in: other).keepsIDs)
        },
        StoreCase("stores no IDs unless the unit keeps them") { state in
            let store = try await state.open()
            let unit = try await opened(store, count: 1, keepsIDs: false)
            #expect(!unit.keepsIDs)
            try await store.record(
                [accepted(0, "projects/shop/messages/1")],
                released: 1,
                of: unit.id
            )
            #expect(try await store.messageIDs(of: unit.id, from: 0, count: 1).isEmpty)
            await #expect(throws: StateStoreError.self) {
                try await store.messageIDs(
                    of: UnitID(number: unit.id.number + 1),
                    from: 0,
                    count: 1
                )
            }
        },
        StoreCase("a resent message has its last ID") { state in
            let store = try await state.open()
            let unit = try await opened(store, count: 2)
            for id in ["m/1", "m/2"] {
                try await store.record([accepted(1, id)], released: 2, of: unit.id)
            }
            #expect(try await store.messageIDs(of: unit.id, from: 0, count: 2).map(\.id) == ["m/2"])
        },
        StoreCase("a refused record stores none of its IDs") { state in
            let store = try await state.open()
            let unit = try await opened(store, count: 2)
            try await store.record([accepted(0, "m/0")], released: 2, of: unit.id)
            await #expect(throws: StateStoreError.self) {
                try await store.record([accepted(1, "m/1")], released: 3, of: unit.id)
            }
            #expect(try await store.messageIDs(of: unit.id, from: 0, count: 2).map(\.id) == ["m/0"])
        },
    ]
}
