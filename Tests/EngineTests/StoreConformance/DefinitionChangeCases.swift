import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreConformance {
    static let definitionChangeCases = [
        StoreCase("a definition keeps from when on its rule makes slots") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let id = try #require(CampaignID("sale"))
            let ruled = CampaignDefinition(
                campaign: id,
                content: [:],
                slotsAfter: StoreFixtures.due
            )
            try store.record([.define(ruled)], in: run)
            #expect(try state.open().appliedState().definitions == [id: ruled])
            try store.record([.advance(id, slotsAfter: .latest)], in: run)
            #expect(try state.open().appliedState().definitions[id]?.slotsAfter == .latest)
            try store.record([.define(CampaignDefinition(campaign: id, content: [:]))], in: run)
            #expect(try store.appliedState().definitions[id]?.slotsAfter == nil)
            let other = try #require(CampaignID("other"))
            #expect(throws: StateStoreError.self) {
                try store.record([.advance(other, slotsAfter: .latest)], in: run)
            }
        },
        StoreCase("what lies ahead can be cancelled, what began can't") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let ahead = try StoreFixtures.occurrence("ahead")
            let begun = try StoreFixtures.occurrence("begun")
            try StoreFixtures.openedUnit(store, campaign: "begun", count: 1)
            try store.record([.schedule(ahead, due: StoreFixtures.due), .cancel(ahead)], in: run)
            #expect(try store.appliedState().occurrences[ahead]?.status == .cancelled)
            for id in [begun, try StoreFixtures.occurrence("nowhere")] {
                #expect(throws: StateStoreError.self) { try store.record([.cancel(id)], in: run) }
            }
            #expect(try store.appliedState().occurrences[begun]?.status == .dispatching)
        },
        StoreCase("a campaign gets another name with all that is known of it") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let (old, new) = (
                try StoreFixtures.occurrence("sale"), try StoreFixtures.occurrence("offer")
            )
            let definition = try StoreFixtures.definition("sale", title: "Now")
            let unit = try StoreFixtures.openedUnit(store, count: 1)
            let sent = RunOccurrence(occurrence: old, tally: StoreFixtures.tally([.accepted: 1]))
            let pause = Pause(
                scope: .campaign(old.campaign),
                since: StoreFixtures.due,
                user: "ada",
                host: "desk"
            )
            try store.record(sent, in: run)
            _ = try store.pause(pause)
            try store.record(
                [.define(definition), .rename(old.campaign, to: new.campaign)],
                in: run
            )
            let applied = try state.open().appliedState()
            #expect(applied.definitions.keys.map(\.self) == [new.campaign])
            #expect(applied.definitions[new.campaign]?.content == definition.content)
            #expect(applied.occurrences.keys.map(\.self) == [new])
            #expect(applied.occurrences[new]?.unit == unit)
            #expect(applied.pauses.map(\.scope) == [.campaign(new.campaign)])
            #expect(try store.sendings(of: run).map(\.occurrence) == [new])
        },
        StoreCase("no campaign takes the name of another") { state in
            let store = try state.open()
            let run = try store.beginRun(StoreFixtures.worker)
            let (sale, offer) = (
                try StoreFixtures.definition("sale", title: "Now"),
                try StoreFixtures.definition("offer", title: "Now")
            )
            try store.record([.define(sale), .define(offer)], in: run)
            #expect(throws: StateStoreError.self) {
                try store.record([.rename(sale.campaign, to: offer.campaign)], in: run)
            }
            #expect(try store.appliedState().definitions.count == 2)
        },
        StoreCase("an occurrence keeps the key that makes a repeat replace") { state in
            let store = try state.open()
            let opened = OpenedOccurrence(
                id: try StoreFixtures.occurrence("sale"),
                due: StoreFixtures.due,
                message: [:],
                target: .topic(try #require(Topic("news"))),
                count: 1,
                deduplicationKey: "herald-5f"
            )
            let run = try store.beginRun(StoreFixtures.worker)
            try store.record([.schedule(opened.id, due: StoreFixtures.due)], in: run)
            _ = try store.open(opened, in: run)
            let record = try state.open().appliedState().occurrences[opened.id]
            #expect(record?.deduplicationKey == "herald-5f")
        },
    ]
}
