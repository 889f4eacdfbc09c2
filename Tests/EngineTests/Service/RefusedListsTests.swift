import CampaignModel
import Planning
import Service
import State
import Testing

struct RefusedListsTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func sends(guards: GuardBasis = GuardBasis()) async throws -> [SendStep] {
        let campaign = try scene.campaign(to: .registrations(scene.listAtSend()))
        let plan = try await scene.plan([campaign], guards: guards)
        try #require(plan.sends.count == 1 && plan.sends[0].target.listAtSend != nil)
        return plan.sends
    }

    @Test func `is read again without a change at growing intervals`() async throws {
        var lists = RefusedLists<Int>()
        let (sends, id) = (try await sends(), try scene.id("sale"))
        #expect(lists.waiting(among: sends, versions: [id: 1], at: .zero).isEmpty)
        var now = Duration.zero
        for seconds in [30, 60, 120, 240, 480, 900, 900] {
            lists.note([id], among: sends, versions: [id: 1], at: now)
            now += .seconds(seconds)
            let before = now - .milliseconds(1)
            #expect(lists.waiting(among: sends, versions: [id: 1], at: before) == [id])
            #expect(lists.waiting(among: sends, versions: [id: 1], at: now).isEmpty)
        }
    }

    @Test func `is read again at once after a change of its files`() async throws {
        var lists = RefusedLists<Int>()
        let (sends, id) = (try await sends(), try scene.id("sale"))
        for now in [0, 30] {
            lists.note([id], among: sends, versions: [id: 1], at: .seconds(now))
        }
        #expect(lists.waiting(among: sends, versions: [id: 1], at: .seconds(89)) == [id])
        #expect(lists.waiting(among: sends, versions: [id: 2], at: .seconds(40)).isEmpty)
        // The intervals begin again.
        lists.note([id], among: sends, versions: [id: 2], at: .seconds(40))
        #expect(lists.waiting(among: sends, versions: [id: 2], at: .seconds(69)) == [id])
        #expect(lists.waiting(among: sends, versions: [id: 2], at: .seconds(70)).isEmpty)
    }

    @Test func `is read again at once after a change of the limits`() async throws {
        var lists = RefusedLists<Int>()
        let (sends, id) = (try await sends(), try scene.id("sale"))
        lists.note([id], among: sends, versions: [id: 1], at: .zero)
        let changed = try await self.sends(guards: QuietScene.guards())
        #expect(lists.waiting(among: changed, versions: [id: 1], at: .seconds(1)).isEmpty)
    }

    @Test func `a send that was not refused does not wait`() async throws {
        var lists = RefusedLists<Int>()
        let (sends, id) = (try await sends(), try scene.id("sale"))
        lists.note([], among: sends, versions: [id: 1], at: .zero)
        #expect(lists.waiting(among: sends, versions: [id: 1], at: .seconds(1)).isEmpty)
        lists.note([id], among: sends, versions: [id: 1], at: .zero)
        // It was no longer due for a time.
        #expect(lists.waiting(among: [], versions: [:], at: .seconds(1)).isEmpty)
        #expect(lists.waiting(among: sends, versions: [id: 1], at: .seconds(2)).isEmpty)
    }
}
