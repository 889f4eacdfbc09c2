import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreConformance {
    static let identityCases = [
        StoreCase("a new state has an identity and nothing else") { state in
            let applied = try state.open().appliedState()
            #expect(applied.identity.lineage.text.utf8.count == 32)
            let isHexadecimal = applied.identity.lineage.text.allSatisfy { $0.isHexDigit }
            #expect(isHexadecimal)
            #expect(applied.identity.fingerprintKey.bytes.count == 32)
            #expect(applied.identity.serial == StateSerial(number: 0))
            #expect(applied.definitions.isEmpty && applied.occurrences.isEmpty)
            #expect(applied.memberships.isEmpty)
        },
        StoreCase("the identity stays and the serial rises by one with each run") { state in
            let store = try state.open()
            let before = try store.appliedState().identity
            let runs = [
                try store.beginRun(StoreFixtures.worker), try store.beginRun(StoreFixtures.worker),
            ]
            let after = try state.open().appliedState().identity
            #expect(Set(runs).count == 2)
            #expect(after.serial == StateSerial(number: 2))
            #expect(after.lineage == before.lineage)
            #expect(after.fingerprintKey == before.fingerprintKey)
        },
        StoreCase("a run can be finished, one that never began cannot") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            try store.finishRun(
                run,
                status: .complete,
                tally: OutcomeTally(),
                cause: nil,
                at: StoreFixtures.due
            )
            #expect(throws: StateStoreError.self) {
                try store.finishRun(
                    RunID(number: run.number + 1),
                    status: .complete,
                    tally: OutcomeTally(),
                    cause: nil,
                    at: StoreFixtures.due
                )
            }
        },
    ]

    static let definitionCases = [
        StoreCase("definitions are replaced and retired") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let sale = try StoreFixtures.definition("sale", title: "Now")
            let later = try StoreFixtures.definition("sale", title: "\u{1F600} \"later\"\n")
            let news = try StoreFixtures.definition("news", title: "News")
            try store.record([.define(sale), .define(news)], in: run)
            #expect(
                try store.appliedState().definitions == [sale.campaign: sale, news.campaign: news]
            )
            try store.record([.define(later), .retire(news.campaign)], in: run)
            #expect(try state.open().appliedState().definitions == [sale.campaign: later])
        },
        StoreCase("a change that cannot be recorded leaves none of its call behind") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let sale = try StoreFixtures.definition("sale", title: "Now")
            try StoreFixtures.openedUnit(store, campaign: "begun", count: 1)
            let begun = try StoreFixtures.occurrence("begun")
            #expect(throws: StateStoreError.self) {
                try store.record([.define(sale), .expire(begun, due: .latest)], in: run)
            }
            #expect(try store.appliedState().definitions.isEmpty)
        },
    ]
}
