import CampaignModel
import Planning
import State
import Testing
import Time

/// Tests the comparison of a campaign's current list with the stored list of an interrupted send.
struct EditedListTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func list(_ numbers: some Sequence<Int>) throws -> RegistrationList {
        .inline(try numbers.map(scene.registration))
    }

    private func campaign(_ numbers: some Sequence<Int>) throws -> Campaign {
        try scene.campaign(to: .registrations(list(numbers)))
    }

    private func edits(_ numbers: some Sequence<Int>) async throws -> [EditedList] {
        try await edits(of: scene.plan([campaign(numbers)]))
    }

    private func edits(of plan: Plan) -> [EditedList] {
        plan.notices.compactMap { notice in
            if case .editedList(_, let list) = notice { list } else { nil }
        }
    }

    /// Requests 0 to 2 of ten were sent, so 3 to 9 remain.
    private func interrupt() async throws -> WorkUnitRecord {
        let unit = try await scene.begin(campaign(0..<10))
        try await scene.record([.accepted, .rejected, .unknown], of: unit)
        return unit
    }

    @Test func `counts the remaining, the removed and the new registrations`() async throws {
        _ = try await interrupt()
        let now = try campaign([0, 2, 3, 4, 6, 7, 9, 20, 21, 22])
        let plan = try await scene.plan([now])
        let list = try #require(edits(of: plan).first)
        #expect(list.remaining == 7)
        // Number 1 was removed, too, but its request is done.
        #expect(try list.removed == scene.fingerprints(5, 8))
        #expect(list.added == 3)
        #expect(plan.notices.first == .editedList(try scene.id("sale"), list))
        #expect(plan.notices.count == 2)
        guard case .resume(let send) = plan.campaigns[0].step else {
            Issue.record("\(plan.campaigns[0].step)")
            return
        }
        #expect(send.remaining == 7)
        #expect(send.target.count == 7)
    }

    @Test func `counts a returned request as remaining, and not one that may have been sent`()
        async throws
    {
        let unit = try await scene.begin(campaign(0..<4))
        try await scene.record([.returned, .intended], released: 3, of: unit)
        let list = try #require(try await edits([9]).first)
        #expect(list.remaining == 2)
        #expect(try list.removed == scene.fingerprints(0, 3))
        #expect(list.added == 1)
    }

    @Test func `reports nothing if the same registrations are addressed`() async throws {
        _ = try await interrupt()
        #expect(try await edits(0..<10).isEmpty)
        #expect(try await edits((0..<10).reversed()).isEmpty)
        // The removed ones were sent to already.
        #expect(try await edits(3..<10).isEmpty)
    }

    @Test func `reports only new registrations, or only removed ones`() async throws {
        _ = try await interrupt()
        let grown = try #require(try await edits(0..<11).first)
        #expect(grown.removed.isEmpty && grown.added == 1)
        let shrunk = try #require(try await edits(0..<9).first)
        #expect(try shrunk.removed == scene.fingerprints(9) && shrunk.added == 0)
    }

    @Test func `dead registrations do not remain`() async throws {
        _ = try await interrupt()
        try await scene.store.markDead(scene.fingerprints(4, 5), at: PlanScene.now)
        let list = try #require(try await edits([0, 1, 2, 3]).first)
        #expect(list.remaining == 5)
        #expect(try list.removed == scene.fingerprints(6, 7, 8, 9))
    }

    @Test func `compares a list that is read in several parts`() async throws {
        let unit = try await scene.begin(campaign(0..<5_000))
        try await scene.record([.accepted], of: unit)
        let list = try #require(try await edits((0..<6_000).filter { $0 % 1_000 != 999 }).first)
        #expect(list.remaining == 4_999)
        #expect(try list.removed == scene.fingerprints(999, 1_999, 2_999, 3_999, 4_999))
        #expect(list.added == 999)
    }

    @Test func `names the campaign as the files do`() async throws {
        let variations = try ReviewedVariations(scene)
        _ = try await scene.begin(variations.campaign("old", to: .registrations(list(0..<3))))
        let plan = try await scene.plan([
            variations.campaign("new", to: .registrations(list(0..<2)), formerly: "old")
        ])
        let list = try #require(edits(of: plan).first)
        #expect(plan.notices == [.editedList(try scene.id("new"), list)])
        #expect(try list.removed == scene.fingerprints(2))
    }

    @Test func `a campaign without a current list has nothing to compare`() async throws {
        _ = try await interrupt()
        #expect(edits(of: try await scene.plan([try scene.campaign()])).isEmpty)
        #expect(edits(of: try await scene.plan()).isEmpty)
    }

    @Test func `reports sends that wait for a user, but not the rest of an expired message`()
        async throws
    {
        let variations = try ReviewedVariations(scene)
        func campaign(_ numbers: Range<Int>, stops: Bool = false) throws -> Campaign {
            try variations.campaign(
                to: .registrations(list(numbers)),
                delivery: Delivery(
                    timeToLive: TimeToLive(seconds: 60),
                    expires: nil,
                    priority: nil,
                    collapse: nil
                ),
                policy: SendingPolicy(
                    onUnknown: stops ? .stop : .skip,
                    rollout: nil,
                    acknowledgement: nil,
                    holdOut: nil
                )
            )
        }
        let unit = try await scene.begin(campaign(0..<4))
        try await scene.record([.unknown], of: unit)
        let stopped = try await scene.plan([campaign(0..<3, stops: true)])
        #expect(stopped.campaigns[0].step.isStopped && edits(of: stopped).count == 1)
        let expired = try await scene.plan(
            [campaign(0..<3)],
            at: PlanScene.now.advanced(bySeconds: 61)
        )
        guard case .lapse = expired.campaigns[0].step else {
            Issue.record("\(expired.campaigns[0].step)")
            return
        }
        #expect(edits(of: expired).isEmpty)
        try await scene.store.hold(scene.id("sale"), with: .refusedPayload)
        let held = try await scene.plan([campaign(0..<3)])
        #expect(held.campaigns[0].step.isHeld && edits(of: held).count == 1)
        try await scene.store.hold(scene.id("sale"), with: nil)
        let pause = Pause(scope: .everything, since: PlanScene.now, user: "ada", host: "desk")
        _ = try await scene.store.pause(pause)
        let paused = try await scene.plan([campaign(0..<3)])
        #expect(paused.campaigns[0].step.isPaused && edits(of: paused).count == 1)
    }
}
