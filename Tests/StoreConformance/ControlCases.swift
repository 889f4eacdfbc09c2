import CampaignModel
import State
import Testing
import Time

extension StoreCases {
    private static func pause(_ scope: PauseScope, _ user: String = "ada") -> Pause {
        Pause(scope: scope, since: StoreFixtures.due, user: user, host: "desk")
    }

    static let pauseCases = [
        StoreCase("a scope is paused once, by the first user") { state in
            let (store, other) = (try await state.open(), try await state.open())
            let sale = PauseScope.campaign(try #require(CampaignID("sale")))
            #expect(try await store.pauses().isEmpty)
            #expect(try await store.pause(pause(sale)))
            #expect(try await other.pause(pause(.everything, "bob")))
            #expect(try await !other.pause(pause(sale, "bob")))
            let expected = [pause(.everything, "bob"), pause(sale)]
            #expect(Set(try await store.pauses()) == Set(expected))
            #expect(Set(try await other.appliedState().pauses) == Set(expected))
        },
        StoreCase("lifting a pause reports whether there was one") { state in
            let store = try await state.open()
            let sale = PauseScope.campaign(try #require(CampaignID("sale")))
            _ = try await store.pause(pause(.everything))
            _ = try await store.pause(pause(sale))
            #expect(try await store.liftPause(pause(.everything)))
            #expect(try await !store.liftPause(pause(.everything)))
            #expect(try await store.pauses() == [pause(sale)])
            #expect(try await store.pause(pause(.everything, "bob")))
        },
        StoreCase("a pause needs no lock and does not wait for the writer") { state in
            let (writer, other) = (try await state.open(), try await state.open())
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            #expect(try await other.pause(pause(.everything)))
            #expect(try await writer.pauses() == [pause(.everything)])
            await writer.unlock()
        },
    ]
}
