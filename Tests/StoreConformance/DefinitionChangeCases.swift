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
        StoreCase("a definition stores what is sent, and whether it was reviewed") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let id = try #require(CampaignID("sale"))
            for isReviewed in [true, false] {
                let definition = CampaignDefinition(
                    campaign: id,
                    content: [:],
                    sending: StoredSending(
                        campaign: ["title": "Hello"],
                        list: nil,
                        isReviewed: isReviewed
                    )
                )
                try await store.record([.define(definition)], in: run)
                #expect(try await state.open().appliedState().definitions == [id: definition])
            }
        },
        StoreCase("the settings of the environment are stored") { state in
            let store = try await state.open()
            #expect(try await store.appliedState().environment == nil)
            #expect(try await store.environment() == nil)
            try await store.keep(environment: ["pace": 1])
            try await store.keep(environment: ["pace": 2])
            #expect(try await state.open().appliedState().environment == ["pace": 2])
            #expect(try await store.environment() == ["pace": 2])
        },
        StoreCase("a list is kept while a send to it is scheduled") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let list = ListID(text: String(repeating: "5b", count: 32))
            let all = try StoreFixtures.registrations(0..<5)
            let occurrence = try StoreFixtures.occurrence("sale")
            let definition = CampaignDefinition(
                campaign: occurrence.campaign,
                content: [:],
                sending: StoredSending(campaign: [:], list: list, isReviewed: false)
            )
            try await store.store(all, as: list)
            let schedule = DefinitionChange.schedule(occurrence, due: StoreFixtures.due)
            try await store.record([.define(definition), schedule], in: run)
            let end = RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
            try await store.finishRun(run, as: end)
            #expect(try await store.registrations(of: list, from: 0, count: 9) == all)
            let next = try await store.beginRun(StoreFixtures.worker)
            let elsewhere = try StoreFixtures.occurrence("elsewhere")
            try await store.record([.expire(elsewhere, due: StoreFixtures.due)], in: next)
            #expect(try await store.hasList(list))
            try await store.record([.expire(occurrence, due: StoreFixtures.due)], in: next)
            #expect(try await !store.hasList(list))
        },
        StoreCase("a definition needs its list") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let sending = StoredSending(
                campaign: [:],
                list: ListID(text: String(repeating: "5c", count: 32)),
                isReviewed: false
            )
            let definition = CampaignDefinition(
                campaign: try #require(CampaignID("sale")),
                content: [:],
                sending: sending
            )
            await #expect(throws: StateStoreError.self) {
                try await store.record([.define(definition)], in: run)
            }
            #expect(try await store.appliedState().definitions.isEmpty)
        },
        StoreCase("a list that no definition took is dropped at the end of the run") { state in
            let store = try await state.open()
            let run = try await store.beginRun(StoreFixtures.worker)
            let list = ListID(text: String(repeating: "5d", count: 32))
            try await store.store(StoreFixtures.registrations(0..<5), as: list)
            let end = RunEnd(status: .stopped, tally: OutcomeTally(), at: StoreFixtures.due)
            try await store.finishRun(run, as: end)
            #expect(try await !store.hasList(list))
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
