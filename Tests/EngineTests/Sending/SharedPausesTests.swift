import CampaignModel
import SQLiteStore
import State
import StoreConformance
import StoreTables
import Testing

@testable import Sending

struct SharedPausesTests {
    @Test func `reads the state again after a quarter of a second`() async throws {
        let folder = try StateFolder()
        let store = try folder.open()
        let pauses = SharedPauses()
        let begin = Duration.seconds(1_000)
        #expect(try await pauses.current(in: store, at: begin).isEmpty)
        let pause = Pause(
            scope: .everything,
            since: StoreFixtures.due,
            user: "ada",
            host: "desk"
        )
        #expect(try await store.pause(pause))
        let soon = begin + .milliseconds(249)
        #expect(try await pauses.current(in: store, at: soon).isEmpty)
        let later = begin + .milliseconds(250)
        #expect(try await pauses.current(in: store, at: later) == [pause])
    }

    @Test func `names the pause of everything before that of a campaign`() throws {
        let sale = try #require(CampaignID("sale"))
        let news = try #require(CampaignID("news"))
        func pause(_ scope: PauseScope) -> Pause {
            Pause(scope: scope, since: StoreFixtures.due, user: "ada", host: "desk")
        }
        let one = pause(.campaign(sale))
        let all = pause(.everything)
        #expect([one].pause(of: sale) == one)
        #expect([one].pause(of: news) == nil)
        #expect([one, all].pause(of: sale) == all)
    }
}
