import CampaignModel
import Planning
import State
import Testing
import Time

struct RecipientGuardTests {
    private var scene: GuardedScene

    init() throws {
        scene = try GuardedScene()
        scene.limit(recipients: 100)
    }

    private func sale() throws -> GuardSubject {
        .campaign(try #require(CampaignID("sale")))
    }

    private func condition(_ text: String) throws -> AudienceTarget {
        .condition(try Condition(parsing: text))
    }

    @Test(
        arguments: [
            (100, nil, nil), (101, nil, nil), (101, 101, true), (101, 100, false), (101, 500, true),
        ] as [(Int, Int?, Bool?)]
    )
    func `allows a declared topic up to the maximum, otherwise requires an acknowledgement`(
        reach: Int,
        acknowledged: Int?,
        passes: Bool?
    ) async throws {
        let plan = try await scene.plan(
            [scene.campaign(acknowledging: acknowledged)],
            topics: scene.topics(["news": reach])
        )
        let refusal = GuardRefusal.tooManyRecipients(
            reach,
            maximum: 100,
            acknowledged: acknowledged
        )
        let expected: [GuardVerdict] =
            if reach == 100 { [] } else if passes == true {
                [.acknowledged(refusal, reason: "wanted")]
            } else { [.refused(refusal)] }
        #expect(plan.guards.map(\.verdict) == expected)
        #expect(try plan.guards.allSatisfy { try $0.subject == sale() })
        #expect(plan.refusals.count == (reach == 101 && passes != true ? 1 : 0))
    }

    @Test(arguments: [(nil, false), (100, false), (101, true)] as [(Int?, Bool)])
    func `requires an acknowledgement above the maximum for an undeclared reach`(
        acknowledged: Int?,
        passes: Bool
    ) async throws {
        let plan = try await scene.plan([scene.campaign(acknowledging: acknowledged)])
        let refusal = GuardRefusal.unknownReach(maximum: 100)
        #expect(
            plan.guards.map(\.verdict)
                == [passes ? .acknowledged(refusal, reason: "wanted") : .refused(refusal)]
        )
    }

    @Test(arguments: [
        ("'small' in topics && 'large' in topics", 0),
        ("'small' in topics || 'middle' in topics", 0),
        ("'small' in topics || 'large' in topics", 1_060),
        ("'large' in topics && !('small' in topics)", 1_000),
        ("'large' in topics && 'nobody-knows' in topics", 1_000),
        ("'small' in topics && 'nobody-knows' in topics", 0),
    ])
    func `a condition reaches at most the smallest part of all and the sum of any`(
        text: String,
        refused: Int
    ) async throws {
        let plan = try await scene.plan(
            [scene.campaign(to: condition(text))],
            topics: scene.topics([
                "small": 60, "middle": 40, "large": 1_000, "nobody-knows": nil,
            ])
        )
        let refusal = GuardRefusal.tooManyRecipients(refused, maximum: 100, acknowledged: nil)
        #expect(plan.guards.map(\.verdict) == (refused == 0 ? [] : [.refused(refusal)]))
    }

    @Test(arguments: [
        "'small' in topics || 'nobody-knows' in topics", "!('small' in topics)",
    ])
    func `a condition with an undeclared part has an unknown reach`(
        text: String
    ) async throws {
        let plan = try await scene.plan(
            [scene.campaign(to: condition(text))],
            topics: scene.topics(["small": 60, "nobody-knows": nil])
        )
        #expect(plan.guards.map(\.verdict) == [.refused(.unknownReach(maximum: 100))])
    }

    @Test func `a topic is as large as the lists that are kept subscribed to it`() async throws {
        let audience = try scene.scene.audience(scene.list(0..<101))
        let plan = try await scene.plan(
            [scene.campaign()],
            audiences: [audience],
            topics: scene.topics(["news": 50])
        )
        let refusal = GuardRefusal.tooManyRecipients(101, maximum: 100, acknowledged: nil)
        #expect(plan.guards.map(\.verdict) == [.refused(refusal)])
    }

    @Test(arguments: [(0..<60, 0), (40..<100, 0), (41..<101, 1)])
    func `counts each registration once in several lists of a topic`(
        second: Range<Int>,
        refused: Int
    ) async throws {
        let plan = try await scene.plan(
            [scene.campaign()],
            audiences: [
                scene.scene.audience(scene.list(0..<60)),
                scene.scene.audience(
                    .inline(second.map(scene.scene.registration)),
                    named: "others"
                ),
            ],
            topics: scene.topics(["news": 50])
        )
        #expect(plan.refusals.count == refused)
    }

    @Test(arguments: [(100, 0), (101, 1)])
    func `a list counts by its registrations`(count: Int, refused: Int) async throws {
        let target = AudienceTarget.registrations(try scene.list(0..<count))
        let plan = try await scene.plan([scene.campaign(to: target)])
        #expect(plan.refusals.count == refused)
    }

    @Test(arguments: [(19, 1), (20, 0)])
    func `a device group counts as the largest possible group`(
        maximum: Int,
        refused: Int
    ) async throws {
        var scene = scene
        scene.limit(recipients: maximum)
        let group = AudienceTarget.group(try #require(DeviceGroupName("family")))
        #expect(try await scene.plan([scene.campaign(to: group)]).refusals.count == refused)
    }

    @Test func `checks a scheduled send when it is scheduled, changed and sent`() async throws {
        let topics = try scene.topics(["news": 101])
        let later = try scene.campaign(schedule: .at(PlanScene.moment(3_600)))
        let planned = try await scene.plan([later], topics: topics)
        #expect(planned.refusals.count == 1)
        try await scene.scene.remember(planned)
        #expect(try await scene.plan([later], topics: topics).guards == [])
        let sooner = try scene.campaign(schedule: .at(PlanScene.moment(1_800)))
        #expect(try await scene.plan([sooner], topics: topics).refusals.count == 1)
        let due = try await scene.scene.plan(
            [later],
            topics: topics,
            guards: scene.settings.basis,
            at: PlanScene.now.advanced(bySeconds: 3_600)
        )
        #expect(due.sends.count == 1)
        #expect(due.refusals.count == 1)
    }

    @Test func `reports the acknowledgement of an expired send and allows it`() async throws {
        let topics = try scene.topics(["news": 101])
        let past = Schedule.at(PlanScene.moment(-3_600))
        #expect(try await scene.plan([scene.campaign(schedule: past)], topics: topics).guards == [])
        let plan = try await scene.plan(
            [scene.campaign(acknowledging: 101, schedule: past)],
            topics: topics
        )
        #expect(plan.guards.count == 1)
        #expect(plan.refusals == [])
    }

    @Test func `a started send continues`() async throws {
        let target = AudienceTarget.registrations(try scene.scene.inline(0, 1, 2))
        let campaign = try scene.campaign(to: target)
        _ = try await scene.scene.begin(campaign)
        var scene = scene
        scene.limit(recipients: 2)
        let plan = try await scene.plan([campaign])
        #expect(plan.sends.count == 1)
        #expect(plan.guards == [])
    }

    @Test func `reports a guard that is switched off`() async throws {
        var scene = scene
        scene.settings.bypassed = [.maxRecipients]
        let plan = try await scene.plan([scene.campaign()], topics: scene.topics(["news": 101]))
        #expect(
            plan.guards.map(\.verdict) == [
                .bypassed(.tooManyRecipients(101, maximum: 100, acknowledged: nil))
            ]
        )
        #expect(plan.refusals == [])
    }

    @Test func `without a maximum, any reach is allowed`() async throws {
        var scene = scene
        scene.limit()
        #expect(try await scene.plan([scene.campaign()]).guards == [])
    }
}
