import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import State
import StoreConformance
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

    private func send(_ campaign: Campaign) async throws {
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .accepted, .accepted, .accepted], of: unit)
        let id = try #require(campaign.onlyOccurrence)
        try await scene.store.close(id, as: .finished)
    }

    private func steps(
        _ campaigns: Campaign...,
        at seconds: Int64 = 0
    ) async throws -> [CampaignStep] {
        try await scene.plan(campaigns, at: PlanScene.now.advanced(bySeconds: seconds))
            .campaigns.map(\.step)
    }

    // MARK: Revisions

    @Test func `a raised revision sends once more`() async throws {
        try await send(campaign())
        let plan = try await scene.plan([campaign(revision: 2)])
        #expect(plan.sends.map(\.occurrence) == [try StoreFixtures.occurrence("sale", revision: 2)])
        #expect(
            plan.campaigns[0].changes == [FieldChange(path: "revision", before: nil, after: 2)]
        )
        try await send(campaign(revision: 2))
        #expect(try await steps(campaign(revision: 2)) == [.unchanged])
    }

    @Test func `a lowered revision sends nothing and is reported once`() async throws {
        try await send(campaign())
        try await send(campaign(revision: 3))
        for lower in [1, 2] {
            let plan = try await scene.plan([campaign(revision: lower)])
            #expect(plan.campaigns.map(\.step) == [.lowered(lower, sent: 3)])
            #expect(plan.campaigns[0].definition != nil)
            try await scene.remember(plan)
            #expect(try await steps(campaign(revision: lower)) == [.unchanged])
        }
    }

    @Test func `a raised revision does not affect an occurrence in progress`() async throws {
        let unit = try await scene.begin(campaign())
        try await scene.record([.returned], of: unit)
        let plan = try await scene.plan([campaign(revision: 2)])
        #expect(plan.sends.map(\.occurrence.revision) == [1, 2])
        #expect(plan.campaigns.map { $0.definition == nil } == [true, false])
    }

    @Test func `the next revision cancels a scheduled one`() async throws {
        let later = Schedule.at(PlanScene.moment(60))
        try await scene.remember(scene.plan([campaign(revision: 2, schedule: later)]))
        let second = try StoreFixtures.occurrence("sale", revision: 2)
        let first = try StoreFixtures.occurrence("sale")
        #expect(
            try await steps(campaign(schedule: later)) == [
                .unschedule(second, due: PlanScene.moment(60).instant),
                .schedule(first, PlanScene.moment(60)),
            ]
        )
    }

    // MARK: Revisions after the time of a schedule

    private func second(
        late: LatePolicy.Late? = nil,
        until: Int64? = nil
    ) throws -> Campaign {
        try campaign(
            revision: 2,
            schedule: .at(PlanScene.moment(0)),
            late: late,
            until: until.map { PlanScene.moment($0).instant }
        )
    }

    @Test(arguments: [nil, .fail, .skip, .send] as [LatePolicy.Late?])
    func `a revision that is raised after the time has passed is due at that apply`(
        late: LatePolicy.Late?
    ) async throws {
        try await send(campaign(schedule: .at(PlanScene.moment(0))))
        let raised = try second(late: late)
        let now = PlanScene.moment(86_400).instant
        let plan = try await scene.plan([raised], at: now)
        #expect(plan.sends.map(\.occurrence) == [try StoreFixtures.occurrence("sale", revision: 2)])
        #expect(plan.sends.map(\.due) == [now])
        try await scene.remember(plan)
        // An apply that is cut off before it sends leaves the due time.
        #expect(
            try await scene.plan([raised], at: now.advanced(bySeconds: 600)).sends.map(\.due) == [
                now
            ]
        )
        let step = try await steps(raised, at: 86_400 + 601)
        let id = try StoreFixtures.occurrence("sale", revision: 2)
        let moment = PlanScene.moment(86_400)
        switch late {
        case .skip?: #expect(step == [.skip(id, moment)])
        case .fail?, nil: #expect(step == [.expire(id, moment)])
        case .send?:
            #expect(
                try await scene.plan([raised], at: now.advanced(bySeconds: 601)).sends.count == 1
            )
        }
    }

    @Test func `a raised revision is sent even if the earlier one expired`() async throws {
        let first = try campaign(schedule: .at(PlanScene.moment(0)))
        let expired = try await scene.plan([first], at: PlanScene.now.advanced(bySeconds: 601))
        #expect(
            expired.campaigns.map(\.step) == [.expire(try scene.id("sale"), PlanScene.moment(0))]
        )
        try await scene.remember(expired)
        let now = PlanScene.now.advanced(bySeconds: 700)
        #expect(try await scene.plan([second()], at: now).sends.map(\.due) == [now])
    }

    @Test func `a new campaign is late, whatever its revision`() async throws {
        let id = try StoreFixtures.occurrence("sale", revision: 2)
        #expect(try await steps(second(), at: 601) == [.expire(id, PlanScene.moment(0))])
    }

    @Test func `a revision that is raised after until is not sent`() async throws {
        try await send(
            campaign(schedule: .at(PlanScene.moment(0)), until: PlanScene.moment(60).instant)
        )
        let id = try StoreFixtures.occurrence("sale", revision: 2)
        let raised = try second(late: .send, until: 60)
        #expect(try await steps(raised, at: 61) == [.skip(id, PlanScene.moment(0))])
        let plan = try await scene.plan([raised], at: PlanScene.now.advanced(bySeconds: 60))
        #expect(plan.sends.map(\.due) == [PlanScene.moment(60).instant])
    }

    @Test func `a raised revision whose time is moved is due then`() async throws {
        try await send(campaign(schedule: .at(PlanScene.moment(0))))
        try await scene.remember(scene.plan([second()], at: PlanScene.moment(700).instant))
        let moved = try campaign(revision: 2, schedule: .at(PlanScene.moment(900)))
        let id = try StoreFixtures.occurrence("sale", revision: 2)
        #expect(try await steps(moved, at: 800) == [.schedule(id, PlanScene.moment(900))])
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
    ) async throws {
        let moment = PlanScene.moment(0)
        let step = try await steps(
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

    @Test func `a skipped occurrence stays skipped`() async throws {
        let late = try campaign(schedule: .at(PlanScene.moment(-601)), late: .skip)
        try await scene.remember(scene.plan([late]))
        #expect(try await steps(late) == [.unchanged])
    }

    // MARK: Names

    @Test func `a renamed campaign keeps its history and sends nothing`() async throws {
        try await send(campaign("old"))
        let plan = try await scene.plan([campaign("new", formerly: "old")])
        let old = try #require(CampaignID("old"))
        #expect(plan.campaigns.map(\.step) == [.rename(from: old), .unchanged])
        #expect(plan.notices == [])
        try await scene.remember(plan)
        let state = try await scene.store.appliedState()
        #expect(state.occurrences.keys.map(\.description) == ["new/once/1"])
        #expect(state.definitions.keys.map(\.rawValue) == ["new"])
        #expect(try await steps(campaign("new", formerly: "old")) == [.unchanged])
        #expect(try await steps(campaign("new")) == [.unchanged])
    }

    @Test func `a renamed campaign resumes its occurrence in progress`() async throws {
        let unit = try await scene.begin(campaign("old"))
        try await scene.record([.returned], of: unit)
        let plan = try await scene.plan([campaign("new", formerly: "old")])
        #expect(plan.sends.map(\.occurrence.description) == ["new/once/1"])
        #expect(plan.sends[0].unit?.id == unit.id)
    }

    @Test func `reports an unknown old name`() async throws {
        let new = try campaign("new", formerly: "old")
        let plan = try await scene.plan([new])
        #expect(plan.notices == [.unknownFormerName(new.id, try #require(CampaignID("old")))])
        #expect(plan.sends.map(\.occurrence.description) == ["new/once/1"])
    }

    @Test func `refuses to merge two histories`() async throws {
        try await send(campaign("old"))
        try await send(campaign("new"))
        let names = PlanningError.renamedOntoHistory(
            try #require(CampaignID("old")),
            try #require(CampaignID("new"))
        )
        await #expect(throws: names) { try await scene.plan([campaign("new", formerly: "old")]) }
    }

    // MARK: Paused and held

    @Test(arguments: [true, false])
    func `does not send a paused campaign`(isWhole: Bool) async throws {
        let scope: PauseScope =
            isWhole ? .everything : .campaign(try #require(CampaignID("sale")))
        let pause = Pause(scope: scope, since: PlanScene.now, user: "ada", host: "desk")
        #expect(try await scene.store.pause(pause))
        let plan = try await scene.plan([campaign(), campaign("other")])
        guard case .paused(let send, pause) = plan.campaigns[0].step else {
            Issue.record("\(plan.campaigns[0].step)")
            return
        }
        #expect(send.occurrence == (try scene.id("sale")))
        #expect(plan.sends.map(\.occurrence) == (isWhole ? [] : [try scene.id("other")]))
        #expect(plan.hasChanges == !isWhole)
        #expect(try await scene.store.liftPause(pause))
        #expect(try await scene.plan([campaign()]).sends.count == 1)
    }

    @Test func `a paused rule keeps its due slot`() async throws {
        let daily = try scene.rule("30 7 * * *")
        let before = try #require(Instant(rfc3339: "2027-01-15T08:00:00Z"))
        let due = try #require(Instant(rfc3339: "2027-01-16T06:31:00Z"))
        try await scene.remember(scene.plan([daily], at: before))
        let pause = Pause(scope: .everything, since: before, user: "ada", host: "desk")
        #expect(try await scene.store.pause(pause))
        let paused = try await scene.plan([daily], at: due)
        #expect(paused.campaigns.map(\.step.isPaused) == [true, false])
        try await scene.remember(paused)
        #expect(try await scene.store.liftPause(pause))
        let sends = try await scene.plan([daily], at: due).sends
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
    ) async throws {
        let unit = try await scene.begin(campaign())
        try await scene.record([.accepted, .rejected, .rejected], of: unit)
        try await scene.store.hold(scene.id("sale"), with: hold)
        let plan = try await scene.plan([campaign(dead: dead)])
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
    @Test func `an occurrence's key is in its message and in its record`() async throws {
        let plan = try await scene.plan([campaign()])
        let send = try #require(plan.sends.first)
        #expect(send.deduplicationKey?.text == "5cbb89fc16373a44")
        #expect(
            MessageContent(fields: send.template.fields)
                .value(at: ["android", "notification", "tag"]) == "5cbb89fc16373a44"
        )
    }
}
