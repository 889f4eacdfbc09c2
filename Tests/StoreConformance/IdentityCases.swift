import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreCases {
    static let identityCases = [
        StoreCase("a new state has an identity and nothing else") { state in
            let applied = try await state.open().appliedState()
            #expect(applied.identity.lineage.text.utf8.count == 32)
            let isHexadecimal = applied.identity.lineage.text.allSatisfy { $0.isHexDigit }
            #expect(isHexadecimal)
            #expect(applied.identity.fingerprintKey.bytes.count == 32)
            #expect(applied.identity.serial == StateSerial(number: 0))
            #expect(applied.definitions.isEmpty && applied.occurrences.isEmpty)
            #expect(applied.memberships.isEmpty)
        },
        StoreCase("the identity stays, and each run raises the serial by one") { state in
            let store = try await state.open()
            let before = try await store.appliedState().identity
            let runs = [
                try await store.beginRun(StoreFixtures.worker),
                try await store.beginRun(StoreFixtures.worker),
            ]
            let after = try await state.open().appliedState().identity
            #expect(Set(runs).count == 2)
            #expect(after.serial == StateSerial(number: 2))
            #expect(after.lineage == before.lineage)
            #expect(after.fingerprintKey == before.fingerprintKey)
        },
        StoreCase("the version changes with each write, of any store, and only then") { state in
            let store = try await state.open()
            let other = try await state.open()
            let version = try await store.appliedState().version
            #expect(try await store.version() == version)
            #expect(try await store.appliedState().version == version)
            _ = try await store.beginRun(StoreFixtures.worker)
            let afterOwn = try await store.version()
            #expect(afterOwn != version)
            _ = try await other.beginRun(StoreFixtures.worker)
            let afterOther = try await store.version()
            #expect(afterOther != afterOwn)
            #expect(try await store.version() == afterOther)
        },
        StoreCase("only a run that has started can be finished") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            try await store.finishRun(
                run,
                as: RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
            )
            await #expect(throws: StateStoreError.self) {
                try await store.finishRun(
                    RunID(number: run.number + 1),
                    as: RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
                )
            }
        },
    ]

    static let definitionCases = [
        StoreCase("definitions are replaced and retired") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let sale = try StoreFixtures.definition("sale", title: "Now")
            let later = try StoreFixtures.definition("sale", title: "\u{1F600} \"later\"\n")
            let news = try StoreFixtures.definition("news", title: "News")
            try await store.record([.define(sale), .define(news)], in: run)
            #expect(
                try await store.appliedState().definitions == [
                    sale.campaign: sale, news.campaign: news,
                ]
            )
            try await store.record([.define(later), .retire(news.campaign)], in: run)
            #expect(try await state.open().appliedState().definitions == [sale.campaign: later])
        },
        StoreCase("if one change of a call cannot be recorded, none is recorded") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let sale = try StoreFixtures.definition("sale", title: "Now")
            try await StoreFixtures.openedUnit(store, campaign: "begun", count: 1)
            let begun = try StoreFixtures.occurrence("begun")
            await #expect(throws: StateStoreError.self) {
                try await store.record([.define(sale), .expire(begun, due: .latest)], in: run)
            }
            #expect(try await store.appliedState().definitions.isEmpty)
        },
    ]
}
