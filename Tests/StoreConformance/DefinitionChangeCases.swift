import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreCases {
    static let definitionChangeCases = [
        StoreCase("a definition stores the time from which its rule makes slots") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let id = try #require(CampaignID("sale"))
            let ruled = CampaignDefinition(
                campaign: id,
                content: [:],
                slotsAfter: StoreFixtures.due
            )
            try await store.record([.define(ruled)], in: run)
            #expect(try await state.open().appliedState().definitions == [id: ruled])
            try await store.record([.advance(id, slotsAfter: .latest)], in: run)
            #expect(try await state.open().appliedState().definitions[id]?.slotsAfter == .latest)
            try await store.record(
                [.define(CampaignDefinition(campaign: id, content: [:]))],
                in: run
            )
            #expect(try await store.appliedState().definitions[id]?.slotsAfter == nil)
            let other = try #require(CampaignID("other"))
            await #expect(throws: StateStoreError.self) {
                try await store.record([.advance(other, slotsAfter: .latest)], in: run)
            }
        },
        StoreCase("only occurrences that have not started can be cancelled") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let ahead = try StoreFixtures.occurrence("ahead")
            let begun = try StoreFixtures.occurrence("begun")
            try await StoreFixtures.openedUnit(store, campaign: "begun", count: 1)
            try await store.record(
                [.schedule(ahead, due: StoreFixtures.due), .cancel(ahead)],
                in: run
            )
            #expect(try await store.appliedState().occurrences[ahead]?.status == .cancelled)
            for id in [begun, try StoreFixtures.occurrence("nowhere")] {
                await #expect(throws: StateStoreError.self) {
                    try await store.record([.cancel(id)], in: run)
                }
            }
            #expect(try await store.appliedState().occurrences[begun]?.status == .dispatching)
        },
        StoreCase("a renamed campaign keeps all its records") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let (old, new) = (
                try StoreFixtures.occurrence("sale"), try StoreFixtures.occurrence("offer")
            )
            let definition = try StoreFixtures.definition("sale", title: "Now")
            let unit = try await StoreFixtures.openedUnit(store, count: 1)
            let sent = RunOccurrence(occurrence: old, tally: StoreFixtures.tally([.accepted: 1]))
            let pause = Pause(
                scope: .campaign(old.campaign),
                since: StoreFixtures.due,
                user: "ada",
                host: "desk"
            )
            try await store.record(sent, in: run)
            _ = try await store.pause(pause)
            try await store.record(
                [.define(definition), .rename(old.campaign, to: new.campaign)],
                in: run
            )
            let applied = try await state.open().appliedState()
            #expect(applied.definitions.keys.map(\.self) == [new.campaign])
            #expect(applied.definitions[new.campaign]?.content == definition.content)
            #expect(applied.occurrences.keys.map(\.self) == [new])
            #expect(applied.occurrences[new]?.unit == unit)
            #expect(applied.pauses.map(\.scope) == [.campaign(new.campaign)])
            #expect(try await store.sendings(of: run).map(\.occurrence) == [new])
        },
        StoreCase("a campaign cannot take the name of another campaign") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let (sale, offer) = (
                try StoreFixtures.definition("sale", title: "Now"),
                try StoreFixtures.definition("offer", title: "Now")
            )
            try await store.record([.define(sale), .define(offer)], in: run)
            await #expect(throws: StateStoreError.self) {
                try await store.record([.rename(sale.campaign, to: offer.campaign)], in: run)
            }
            #expect(try await store.appliedState().definitions.count == 2)
        },
        StoreCase("an occurrence stores its de-duplication key") { state in
            let store = try await state.open()
            let opened = OpenedOccurrence(
                id: try StoreFixtures.occurrence("sale"),
                due: StoreFixtures.due,
                message: [:],
                target: .topic(try #require(Topic("news"))),
                count: 1,
                deduplicationKey: "herald-5f"
            )
            let run = try await store.beginRun(StoreFixtures.worker)
            try await store.record([.schedule(opened.id, due: StoreFixtures.due)], in: run)
            _ = try await store.open(opened, in: run)
            let record = try await state.open().appliedState().occurrences[opened.id]
            #expect(record?.deduplicationKey == "herald-5f")
        },
    ]
}
