import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

@testable import Planning

/// Tests revisions, names, pauses, holds and lateness of campaigns with one occurrence.
struct RevisionStepTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaign(
        _ name: String = "sale",
        revision: Int = 1,
        formerly: String? = nil,
        schedule: Schedule = .immediate,
        late: LatePolicy.Late? = nil,
        until: Instant? = nil,
        dead: String? = nil
    ) throws -> Campaign {
        let acknowledgement = dead.map {
            Acknowledgement(reach: nil, dead: Percentage($0), reason: "known")
        }
        return Campaign(
            id: try #require(CampaignID(name)),
            about: nil,
            owner: nil,
            target: .registrations(try scene.inline(0, 1, 2, 3)),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: .unspecified,
            schedule: schedule,
            timeliness: LatePolicy(
                late: late,
                lateAfter: 600,
                until: until,
                reasonInQuietHours: nil
            ),
            revision: revision,
            formerID: formerly.flatMap { CampaignID($0) },
            policy: SendingPolicy(
                onUnknown: nil,
                rollout: nil,
                acknowledgement: acknowledgement,
                holdOut: nil
            )
        )
    }

    private func send(_ campaign: Campaign) throws {
        let unit = try scene.begin(campaign)
        try scene.record([.accepted, .accepted, .accepted, .accepted], of: unit)
        let id = try #require(campaign.onlyOccurrence)
        try scene.store.close(id, as: .finished)
    }

    private func steps(_ campaigns: Campaign..., at seconds: Int64 = 0) throws -> [CampaignStep] {
        try scene.plan(campaigns, at: PlanScene.now.advanced(bySeconds: seconds))
            .campaigns.map(\.step)
    }

    // MARK: Revisions

    @Test func `a raised revision sends once more`() throws {
        try send(campaign())
        let plan = try scene.plan([campaign(revision: 2)])
        #expect(plan.sends.map(\.occurrence) == [try StoreFixtures.occurrence("sale", revision: 2)])
        #expect(
            plan.campaigns[0].changes == [FieldChange(path: "revision", before: nil, after: 2)]
        )
        try send(campaign(revision: 2))
        #expect(try steps(campaign(revision: 2)) == [.unchanged])
    }

    @Test func `a lowered revision sends nothing and is reported once`() throws {
        try send(campaign())
        try send(campaign(revision: 3))
        for lower in [1, 2] {
            let plan = try scene.plan([campaign(revision: lower)])
            #expect(plan.campaigns.map(\.step) == [.lowered(lower, sent: 3)])
            #expect(plan.campaigns[0].definition != nil)
            try scene.remember(plan)
            #expect(try steps(campaign(revision: lower)) == [.unchanged])
        }
    }

    @Test func `a raised revision does not affect an occurrence in progress`() throws {
        let unit = try scene.begin(campaign())
        try scene.record([.returned], of: unit)
        let plan = try scene.plan([campaign(revision: 2)])
        #expect(plan.sends.map(\.occurrence.revision) == [1, 2])
        #expect(plan.campaigns.map { $0.definition == nil } == [true, false])
    }

    @Test func `the next revision cancels a scheduled one`() throws {
        let later = Schedule.at(PlanScene.moment(60))
        try scene.remember(scene.plan([campaign(revision: 2, schedule: later)]))
        let second = try StoreFixtures.occurrence("sale", revision: 2)
        let first = try StoreFixtures.occurrence("sale")
        #expect(
            try steps(campaign(schedule: later)) == [
                .unschedule(second, due: PlanScene.moment(60).instant),
                .schedule(first, PlanScene.moment(60)),
            ]
        )
    }

    // MARK: Lateness

    @Test(
        arguments: [
            (nil, nil, 600, "send"), (nil, nil, 601, "expire"), (.fail, nil, 601, "expire"),
            (.skip, nil, 600, "send"), (.skip, nil, 601, "skip"), (.send, nil, 86_400, "send"),
            (.send, 3_600, 3_600, "send"), (.send, 3_600, 3_601, "skip"),
            (.fail, 60, 61, "expire"), (.send, 0, 600, "send"), (.send, 0, 601, "skip"),
        ] as [(LatePolicy.Late?, Int64?, Int64, String)]
    )
    func `treats a late occurrence as the author configured`(
        late: LatePolicy.Late?,
        until: Int64?,
        age: Int64,
        expected: String
    ) throws {
        let moment = PlanScene.moment(0)
        let step = try steps(
            campaign(
                schedule: .at(moment),
                late: late,
                until: until.map { moment.instant.advanced(bySeconds: $0) }
            ),
            at: age
        )
        let id = try scene.id("sale")
        switch expected {
        case "expire": #expect(step == [.expire(id, moment)])
        case "skip": #expect(step == [.skip(id, moment)])
        default:
            guard case .send(let send)? = step.first else {
                Issue.record("\(step)")
                return
            }
            #expect(send.due == moment.instant)
        }
    }

    @Test func `a skipped occurrence stays skipped`() throws {
        let late = try campaign(schedule: .at(PlanScene.moment(-601)), late: .skip)
        try scene.remember(scene.plan([late]))
        #expect(try steps(late) == [.unchanged])
    }

    // MARK: Names

    @Test func `a renamed campaign keeps its history and sends nothing`() throws {
        try send(campaign("old"))
        let plan = try scene.plan([campaign("new", formerly: "old")])
        let old = try #require(CampaignID("old"))
        #expect(plan.campaigns.map(\.step) == [.rename(from: old), .unchanged])
        #expect(plan.notices == [])
        try scene.remember(plan)
        let state = try scene.store.appliedState()
        #expect(state.occurrences.keys.map(\.description) == ["new/once/1"])
        #expect(state.definitions.keys.map(\.rawValue) == ["new"])
        #expect(try steps(campaign("new", formerly: "old")) == [.unchanged])
        #expect(try steps(campaign("new")) == [.unchanged])
    }

    @Test func `a renamed campaign resumes its occurrence in progress`() throws {
        let unit = try scene.begin(campaign("old"))
        try scene.record([.returned], of: unit)
        let plan = try scene.plan([campaign("new", formerly: "old")])
        #expect(plan.sends.map(\.occurrence.description) == ["new/once/1"])
        #expect(plan.sends[0].unit?.id == unit.id)
    }

    @Test func `reports an unknown old name`() throws {
        let new = try campaign("new", formerly: "old")
        let plan = try scene.plan([new])
        #expect(plan.notices == [.unknownFormerName(new.id, try #require(CampaignID("old")))])
        #expect(plan.sends.map(\.occurrence.description) == ["new/once/1"])
    }

    @Test func `refuses to merge two histories`() throws {
        try send(campaign("old"))
        try send(campaign("new"))
        let names = PlanningError.renamedOntoHistory(
            try #require(CampaignID("old")),
            try #require(CampaignID("new"))
        )
        #expect(throws: names) { try scene.plan([campaign("new", formerly: "old")]) }
    }

    // MARK: Paused and held

    @Test(arguments: [true, false])
    func `does not send a paused campaign`(isWhole: Bool) throws {
        let scope: PauseScope =
            isWhole ? .everything : .campaign(try #require(CampaignID("sale")))
        let pause = Pause(scope: scope, since: PlanScene.now, user: "ada", host: "desk")
        #expect(try scene.store.pause(pause))
        let plan = try scene.plan([campaign(), campaign("other")])
        guard case .paused(let send, pause) = plan.campaigns[0].step else {
            Issue.record("\(plan.campaigns[0].step)")
            return
        }
        #expect(send.occurrence == (try scene.id("sale")))
        #expect(plan.sends.map(\.occurrence) == (isWhole ? [] : [try scene.id("other")]))
        #expect(plan.hasChanges == !isWhole)
        #expect(try scene.store.liftPause(pause))
        #expect(try scene.plan([campaign()]).sends.count == 1)
    }

    @Test func `a paused rule keeps its due slot`() throws {
        let daily = try scene.rule("30 7 * * *")
        let before = try #require(Instant(rfc3339: "2027-01-15T08:00:00Z"))
        let due = try #require(Instant(rfc3339: "2027-01-16T06:31:00Z"))
        try scene.remember(scene.plan([daily], at: before))
        let pause = Pause(scope: .everything, since: before, user: "ada", host: "desk")
        #expect(try scene.store.pause(pause))
        let paused = try scene.plan([daily], at: due)
        #expect(paused.campaigns.map(\.step.isPaused) == [true, false])
        try scene.remember(paused)
        #expect(try scene.store.liftPause(pause))
        let sends = try scene.plan([daily], at: due).sends
        #expect(sends.map(\.occurrence.description) == ["daily/2027-01-16T07:30/1"])
    }

    /// Two requests of a list of four were rejected, which is 50 %.
    @Test(
        arguments: [
            (.mostlyDead, nil, true), (.mostlyDead, "49.99%", true), (.mostlyDead, "50%", false),
            (.refusedPayload, "100%", true),
        ] as [(Hold, String?, Bool)]
    )
    func `a held occurrence continues once its author acknowledges the cause`(
        hold: Hold,
        dead: String?,
        isHeld: Bool
    ) throws {
        let unit = try scene.begin(campaign())
        try scene.record([.accepted, .rejected, .rejected], of: unit)
        try scene.store.hold(scene.id("sale"), hold)
        let plan = try scene.plan([campaign(dead: dead)])
        switch plan.campaigns[0].step {
        case .held(let send, let reason):
            #expect(isHeld)
            #expect(reason == hold)
            #expect(send.remaining == 1)
            #expect(!plan.hasChanges)
        case .resume(let send):
            #expect(!isHeld)
            #expect(send.remaining == 1)
        default: Issue.record("\(plan.campaigns[0].step)")
        }
    }

    // MARK: Keys

    /// The key is `printf sale/once/1 | sha256sum | cut -c1-16`.
    @Test func `an occurrence's key is in its message and in its record`() throws {
        let plan = try scene.plan([campaign()])
        let send = try #require(plan.sends.first)
        #expect(send.deduplicationKey?.text == "5cbb89fc16373a44")
        #expect(
            MessageContent(fields: send.template.fields)
                .value(at: ["android", "notification", "tag"]) == "5cbb89fc16373a44"
        )
    }
}
