import CampaignModel
import JSON
import RegistrationLists
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Plans in an environment with `sends: run`.
struct HandOverTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(
        _ campaigns: Campaign...,
        after seconds: Int64 = 0
    ) async throws -> Plan {
        try await scene.plan(
            campaigns,
            sends: .run,
            at: PlanScene.now.advanced(bySeconds: seconds)
        )
    }

    /// Returns the steps of a plan that is then recorded.
    private func apply(
        _ campaigns: Campaign...,
        after seconds: Int64 = 0
    ) async throws -> [CampaignStep] {
        let plan = try await scene.plan(
            campaigns,
            sends: .run,
            at: PlanScene.now.advanced(bySeconds: seconds)
        )
        try await scene.remember(plan)
        return plan.campaigns.map(\.step)
    }

    private func record(_ name: String = "sale") async throws -> OccurrenceRecord? {
        try await scene.store.occurrence(try scene.id(name))
    }

    @Test func `hands over what is due, and a service sends it`() async throws {
        let campaign = try scene.campaign()
        let plan = try await plan(campaign)
        #expect(plan.handsOver)
        #expect(plan.sends.isEmpty)
        #expect(plan.handedOver.map(\.occurrence) == [try scene.id("sale")])
        #expect(plan.hasChanges)
        try await scene.remember(plan)
        #expect(try await record()?.status == .scheduled)
        #expect(try await record()?.due == PlanScene.now)
        // The next apply has nothing to do, however late it is.
        #expect(try await !self.plan(campaign, after: 60).hasChanges)
        let send = try #require(try await scene.planFromState(after: 60).sends.first)
        #expect(send.occurrence == (try scene.id("sale")))
        #expect(send.due == PlanScene.now)
    }

    @Test func `the digest does not depend on who sends`() async throws {
        let campaign = try scene.campaign()
        let plan = try await plan(campaign)
        #expect(plan.digest == (try await scene.plan([campaign]).digest))
    }

    @Test func `the lifetime begins with the hand-over`() async throws {
        let campaign = try scene.campaign(
            fields: ["notification": ["title": "Hello"]],
            delivery: Delivery(
                timeToLive: TimeToLive(seconds: 600),
                priority: nil,
                collapse: nil
            )
        )
        _ = try await apply(campaign)
        #expect(try await scene.planFromState(after: 600).sends.count == 1)
        let over = try await scene.planFromState(after: 601)
        #expect(over.sends.isEmpty)
        #expect(over.campaigns.map(\.step) == [.outlive(try scene.id("sale"), PlanScene.moment(0))])
    }

    @Test func `a campaign without a schedule is due when it is applied`() async throws {
        let plan = try await plan(try scene.campaign())
        let now = PlanScene.now.advanced(bySeconds: 90)
        #expect(
            plan.handOverChanges(at: now).last == .schedule(try scene.id("sale"), due: now)
        )
        let scheduled = try await self.plan(
            try scene.campaign(schedule: .at(PlanScene.moment(-60)))
        )
        #expect(
            scheduled.handOverChanges(at: now).last
                == .schedule(
                    try scene.id("sale"),
                    due: PlanScene.now.advanced(bySeconds: -60)
                )
        )
    }

    /// The campaign with a time that passed 601 s ago.
    private func past(revision: Int) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .topic(try scene.topic()),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: .unspecified,
            schedule: .at(PlanScene.moment(-601)),
            revision: revision
        )
    }

    @Test func `a revision that is raised after its time is due at the apply that raises it`()
        async throws
    {
        #expect(
            try await apply(past(revision: 1))
                == [.expire(try scene.id("sale"), PlanScene.moment(-601))]
        )
        let id = try StoreFixtures.occurrence("sale", revision: 2)
        let raised = try await plan(past(revision: 2), after: 100)
        #expect(raised.handedOver.map(\.occurrence) == [id])
        // The review of the plan took 20 s.
        let applied = PlanScene.moment(120)
        let changes = raised.handOverChanges(at: applied.instant)
        #expect(changes.last == .schedule(id, due: applied.instant))
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        try await scene.store.record(raised.definitionChanges + changes, in: run)
        #expect(try await !plan(past(revision: 2), after: 200).hasChanges)
        let send = try #require(try await scene.planFromState(after: 720).sends.first)
        #expect(send.occurrence == id)
        #expect(send.due == applied.instant)
        #expect(
            try await scene.planFromState(after: 721).campaigns.map(\.step)
                == [.expire(id, applied)]
        )
    }

    @Test func `is recorded after the memberships have changed`() async throws {
        let plan = try await plan(
            try scene.campaign(),
            try scene.campaign("later", schedule: .at(PlanScene.moment(60)))
        )
        let later = try scene.id("later")
        let before = plan.definitionChanges.compactMap(\.scheduled)
        #expect(before == [later])
        let after = plan.handOverChanges(at: plan.now).compactMap(\.scheduled)
        #expect(after == [try scene.id("sale")])
    }

    @Test func `stores the list of a send that is handed over`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.file(0..<3)))
        _ = try await apply(campaign)
        _ = try scene.file(7..<9)
        let send = try #require(try await scene.planFromState(after: 1).sends.first)
        guard case .stored(_, let fingerprints) = send.target else {
            Issue.record("the list is not the stored one")
            return
        }
        #expect(fingerprints == (try scene.fingerprints(0, 1, 2)))
    }

    @Test func `a change before the service sends is recorded`() async throws {
        _ = try await apply(try scene.campaign())
        let changed = try scene.campaign(title: "Other")
        let steps = try await apply(changed, after: 5)
        #expect(steps == [.redefine(try scene.id("sale"), PlanScene.moment(0))])
        #expect(try await record()?.due == PlanScene.now)
        let expected = try #require(try await scene.plan([changed]).sends.first)
        let send = try #require(try await scene.planFromState(after: 6).sends.first)
        #expect(send.template == expected.template)
    }

    @Test func `an earlier time replaces the due time`() async throws {
        _ = try await apply(try scene.campaign(schedule: .at(PlanScene.moment(3_600))))
        let moved = try scene.campaign(schedule: .at(PlanScene.moment(-60)))
        let plan = try await plan(moved)
        #expect(plan.handedOver.map(\.due) == [PlanScene.now.advanced(bySeconds: -60)])
    }

    @Test func `a send that is too late is not handed over`() async throws {
        let moment = PlanScene.moment(-601)
        let plan = try await plan(try scene.campaign(schedule: .at(moment)))
        #expect(plan.campaigns.map(\.step) == [.expire(try scene.id("sale"), moment)])
    }

    @Test func `a pause does not stop the hand-over`() async throws {
        _ = try await scene.store.pause(
            Pause(scope: .everything, since: PlanScene.now, user: "ada", host: "desk")
        )
        let plan = try await plan(try scene.campaign())
        #expect(plan.handedOver.count == 1)
        try await scene.remember(plan)
        let found = try await scene.planFromState(after: 1).campaigns.map(\.step.isPaused)
        #expect(found == [true])
    }

    @Test func `leaves a send in progress to the service`() async throws {
        let campaign = try scene.campaign()
        _ = try await scene.begin(campaign)
        #expect(try await plan(campaign).campaigns.map(\.step) == [.unchanged])
        #expect(try await scene.plan([campaign]).sends.count == 1)
    }

    @Test func `leaves the recorded slot of a rule to the service`() async throws {
        // 09:00 in Berlin is 08:00 UTC, the time of the scene.
        let rule = try scene.rule("0 9 * * *")
        _ = try await apply(rule, after: -60)
        let steps = try await apply(rule, after: 1)
        // The first apply has recorded the slot.
        #expect(!steps.contains { $0.handedOver != nil })
        let found = try await scene.planFromState(after: 2)
        #expect(found.sends.map(\.due) == [PlanScene.now])
    }

    @Test func `hands over the last slot of a rule and schedules the next`() async throws {
        let rule = try scene.rule("0 9 * * *")
        _ = try await apply(rule, after: -2 * 86_400 - 60)
        let plan = try await plan(rule, after: 1)
        #expect(plan.handedOver.map(\.due) == [PlanScene.now])
        // The slot is recorded with the rule, so a crash does not lose it.
        #expect(plan.definitionChanges.compactMap(\.scheduled).count == 2)
        #expect(plan.handOverChanges(at: plan.now).isEmpty)
        try await scene.remember(plan)
        #expect(try await scene.planFromState(after: 2).sends.map(\.due) == [PlanScene.now])
    }

    @Test func `records a list that an apply with a pause has not stored`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.file(0..<3)))
        let pause = Pause(scope: .everything, since: PlanScene.now, user: "ada", host: "desk")
        _ = try await scene.store.pause(pause)
        try await scene.remember(try await scene.plan([campaign]))
        _ = try await scene.store.liftPause(pause)
        #expect(try await scene.store.appliedState().definedLists.isEmpty)
        let steps = try await apply(campaign)
        #expect(steps.compactMap(\.handedOver).count == 1)
        #expect(try await scene.planFromState(after: 1).sends.map(\.remaining) == [3])
    }

    @Test func `counts what is handed over against the limit of a run`() async throws {
        let limits = Guards(
            maximumRecipients: nil,
            maximumChange: nil,
            quietHours: nil,
            cap: nil,
            requiresReviewedPlan: false,
            maximumSends: 2,
            allowsTest: false
        )
        let campaign = try scene.campaign(to: .registrations(scene.file(0..<3)))
        let plan = try await scene.plan(
            [campaign],
            guards: GuardBasis(limits: limits),
            sends: .run
        )
        #expect(plan.refusals.map(\.guard) == [.maxSendsPerRun])
    }

    // MARK: - Campaigns that no service can send

    @Test func `refuses the token of a Live Activity`() async throws {
        let campaign = try scene.campaign(
            fields: [
                "apns": [
                    "live_activity_token": "secret-token", "payload": ["aps": ["event": "update"]],
                ]
            ]
        )
        let error = PlanningError.notHandedOver(campaign.id, .liveActivityToken)
        await #expect(throws: error) { try await plan(campaign) }
        #expect(try await scene.plan([campaign]).sends.count == 1)
    }

    @Test func `refuses a set that contains registrations and is read at the send`() async throws {
        let set = ListSet(of: [
            ListSet.Part(list: try scene.inline(1)), ListSet.Part(list: scene.listAtSend()),
        ])
        let campaign = try scene.campaign(to: .registrations(.set(set)))
        let error = PlanningError.notHandedOver(campaign.id, .inlineList)
        await #expect(throws: error) { try await plan(campaign) }
    }

    // MARK: - Lists that are read when their sends begin

    @Test func `a service reads the list that the apply described`() async throws {
        let file = RegistrationFile(
            path: "people.csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: "person",
            reading: .atSend,
            locale: "language",
            timeZone: "zone"
        )
        let set = ListSet(
            .allOf,
            of: [
                ListSet.Part(AudienceID("crew"), list: .described(file)),
                ListSet.Part(list: .file(path: "others.txt")),
            ],
            except: [ListSet.Part(list: scene.listAtSend())]
        )
        let audience = Audience(
            id: try #require(AudienceID("sailors")),
            about: nil,
            list: .set(set),
            subscribe: nil,
            acknowledgement: ChangeAcknowledgement(change: 9, reason: "storm"),
            columns: [
                "boat": ListColumn(standard: "your boat"), "name": ListColumn(standard: nil),
            ]
        )
        let campaign = Campaign(
            id: try #require(CampaignID("call")),
            about: nil,
            owner: nil,
            target: .registrations(.set(set)),
            audience: audience.id,
            content: MessageContent(
                fields: ["notification": ["title": "Hello {{name}}", "body": "{{boat}}"]]
            ),
            delivery: .unspecified,
            schedule: .immediate
        )
        let applied = try await scene.plan([campaign], audiences: [audience], sends: .run)
        try await scene.remember(applied)
        #expect(try await scene.planFromState(after: 1).sends.isEmpty)
        let found = try await scene.planFromState(after: 1, readsAtSend: true)
        let expected = try #require(applied.handedOver.first?.target.listAtSend)
        let list = try #require(found.sends.first?.target.listAtSend)
        #expect(list.content == expected.content)
        #expect(list.content.columns?.defaults == ["boat": "your boat"])
    }

    @Test func `names only the campaign whose list nothing reads`() async throws {
        _ = try await apply(
            try scene.campaign("list", to: .registrations(scene.listAtSend())),
            try scene.campaign("topic")
        )
        let found = try await scene.appliedCampaigns()
        #expect(found.refused.map(\.campaign.rawValue) == ["list"])
        #expect(found.refused.map(\.reason) == [.listAtSend])
        #expect(found.campaigns.map(\.id.rawValue) == ["topic"])
        let reading = try await scene.appliedCampaigns(readsAtSend: true)
        #expect(reading.refused.isEmpty)
        #expect(reading.campaigns.map(\.id.rawValue) == ["list", "topic"])
    }
}

extension DefinitionChange {
    /// The occurrence that is scheduled; nil for another change.
    fileprivate var scheduled: OccurrenceID? {
        if case .schedule(let id, _) = self { id } else { nil }
    }
}
