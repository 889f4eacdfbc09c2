import CampaignModel
import State
import Testing
import Time

extension StoreConformance {
    private static func pause(_ scope: PauseScope, _ user: String = "ada") -> Pause {
        Pause(scope: scope, since: StoreFixtures.due, user: user, host: "desk")
    }

    static let pauseCases = [
        StoreCase("a scope is paused once, and by whoever was first") { state in
            let (store, other) = (try state.open(), try state.open())
            let sale = PauseScope.campaign(try #require(CampaignID("sale")))
            #expect(try store.pauses().isEmpty)
            #expect(try store.pause(pause(sale)))
            #expect(try other.pause(pause(.everything, "bob")))
            #expect(try !other.pause(pause(sale, "bob")))
            let expected = [pause(.everything, "bob"), pause(sale)]
            #expect(Set(try store.pauses()) == Set(expected))
            #expect(Set(try other.appliedState().pauses) == Set(expected))
        },
        StoreCase("lifting a pause says whether there was one") { state in
            let store = try state.open()
            let sale = PauseScope.campaign(try #require(CampaignID("sale")))
            _ = try store.pause(pause(.everything))
            _ = try store.pause(pause(sale))
            #expect(try store.liftPause(pause(.everything)))
            #expect(try !store.liftPause(pause(.everything)))
            #expect(try store.pauses() == [pause(sale)])
            #expect(try store.pause(pause(.everything, "bob")))
        },
        StoreCase("a pause needs no lock and does not wait for the writer") { state in
            let (writer, other) = (try state.open(), try state.open())
            try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
            #expect(try other.pause(pause(.everything)))
            #expect(try writer.pauses() == [pause(.everything)])
            writer.unlock()
        },
    ]
}
