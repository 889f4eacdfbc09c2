import CampaignModel
import FCMWire
import JSON
import Planning
import State
import Testing
import Time

/// Tests that a changed list changes a campaign as long as it may still send to the list.
struct ListChangeTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaign(
        _ numbers: [Int],
        title: String = "Hello",
        schedule: Schedule = .immediate
    ) throws -> Campaign {
        let list = RegistrationList.inline(try numbers.map(scene.registration))
        return try scene.campaign(to: .registrations(list), title: title, schedule: schedule)
    }

    private func rule(_ numbers: [Int], until: String? = nil) throws -> Campaign {
        let rule = try scene.rule("0 9 * * *", until: until)
        return try campaign(numbers, schedule: rule.schedule)
    }

    private static let listChanges = ["list.count", "list.id"]

    @Test func `a changed list redefines a scheduled campaign, which stays scheduled`() async throws
    {
        let schedule = Schedule.at(PlanScene.moment(3_600))
        try await scene.remember(try await scene.plan([try campaign([0], schedule: schedule)]))
        let plan = try await scene.plan([try campaign([0, 1], schedule: schedule)])
        let redefined = CampaignStep.redefine(try scene.id("sale"), PlanScene.moment(3_600))
        #expect(plan.campaigns.map(\.step) == [redefined])
        #expect(plan.campaigns[0].changes.map(\.path) == Self.listChanges)
        #expect(plan.campaigns[0].definition != nil)
        try await scene.remember(plan)
        #expect(try await scene.step(try campaign([0, 1], schedule: schedule)) == .unchanged)
    }

    @Test func `a changed list changes a rule until the state is past its last slot`() async throws
    {
        let until = "2027-01-16 12:00"
        try await scene.remember(try await scene.plan([try rule([0], until: until)]))
        let plan = try await scene.plan([try rule([0, 1], until: until)])
        #expect(plan.campaigns[0].changes.map(\.path) == Self.listChanges)
        let later = PlanScene.now.advanced(bySeconds: 5 * 86_400)
        let after = try await scene.plan([try rule([0, 1], until: until)], at: later)
        #expect(after.reviewed == plan.reviewed)
        try await scene.remember(after)
        let over = try await scene.plan([try rule([0, 1, 2], until: until)], at: later)
        #expect(over.campaigns.map(\.step) == [.unchanged])
        #expect(over.reviewed.isEmpty)
    }

    @Test func `a changed list does not affect a campaign that has been or is being sent`()
        async throws
    {
        _ = try await scene.begin(try campaign([0, 1]))
        let going = try await scene.plan([try campaign([0, 1, 2])])
        #expect(going.reviewed.isEmpty)
        #expect(going.campaigns.allSatisfy { $0.changes.isEmpty })
        try await scene.store.close(try scene.id("sale"), as: .finished)
        #expect(try await scene.step(try campaign([0, 1, 2])) == .unchanged)
        let reworded = try await scene.plan([try campaign([0, 1, 2], title: "Bye")])
        #expect(reworded.campaigns.map(\.step) == [.alreadySent])
        #expect(reworded.campaigns[0].changes.map(\.path) == ["message.notification.title"])
    }

    @Test func `a changed list does not affect a late campaign until its due time changes`()
        async throws
    {
        let late = Schedule.at(PlanScene.moment(-3_600))
        try await scene.remember(try await scene.plan([try campaign([0], schedule: late)]))
        #expect(try await scene.step(try campaign([0, 1], schedule: late)) == .unchanged)
        let moved = try await scene.plan([
            try campaign([0, 1], schedule: .at(PlanScene.moment(3_600)))
        ])
        #expect(moved.campaigns[0].changes.map(\.path) == Self.listChanges + ["schedule"])
    }
}
