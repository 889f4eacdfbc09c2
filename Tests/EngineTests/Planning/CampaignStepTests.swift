import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import RegistrationLists
import State
import StoreConformance
import TestSupport
import Testing
import Time

@testable import Planning

struct CampaignStepTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func at(_ seconds: Int64) -> Schedule { .at(PlanScene.moment(seconds)) }

    // MARK: Nothing sent yet

    @Test func `sends a new campaign without a due time now`() async throws {
        let campaign = try scene.campaign()
        let plan = try await scene.plan([campaign])
        let send = try #require(plan.sends.first)
        #expect(plan.campaigns.map(\.step) == [.send(send)])
        #expect(send.occurrence.description == "sale/once/1")
        #expect(send.due == PlanScene.now)
        #expect(send.target == .topic(try scene.topic()))
        #expect(send.unit == nil)
        #expect(send.remaining == 1)
        #expect(plan.campaigns[0].definition?.campaign == campaign.id)
        #expect(plan.campaigns[0].changes == [])
        #expect(plan.hasChanges)
    }

    @Test func `sends to a list in its order`() async throws {
        let plan = try await scene.plan([try scene.campaign(to: .registrations(scene.inline(1, 0)))]
        )
        let send = try #require(plan.sends.first)
        guard case .list(_, let id, let fingerprints) = send.target else {
            Issue.record("no list")
            return
        }
        #expect(fingerprints.map(\.description) == ["593d0ee16d26b7f0", "7e4a618160027081"])
        // printf 'SECRET:device-1\nSECRET:device-0\n' | sha256sum
        #expect(id.text == "28c14a659c1824806df049eb8c2c013ba10bd61dde1a4a3090df1d8dcd77b686")
        #expect(send.remaining == 2)
    }

    @Test func `schedules a future due time`() async throws {
        let moment = PlanScene.moment(1)
        let step = try await scene.step(scene.campaign(schedule: .at(moment)))
        #expect(step == .schedule(try scene.id("sale"), moment))
    }

    @Test(arguments: [0, -1, -600] as [Int64])
    func `sends up to ten minutes after the due time`(seconds: Int64) async throws {
        let step = try await scene.step(scene.campaign(schedule: at(seconds)))
        guard case .send(let send) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(send.due == PlanScene.now.advanced(bySeconds: seconds))
    }

    @Test func `expires more than ten minutes after the due time`() async throws {
        let moment = PlanScene.moment(-601)
        let step = try await scene.step(scene.campaign(schedule: .at(moment)))
        #expect(step == .expire(try scene.id("sale"), moment))
    }

    @Test(.covers("C51"), arguments: [1, 0, -1] as [Int64])
    func `never sends a message that has expired`(seconds: Int64) async throws {
        let expires = PlanScene.moment(seconds)
        let campaign = try scene.campaign(
            fields: ["notification": ["title": "T"]],
            delivery: Delivery(timeToLive: nil, expires: expires, priority: nil, collapse: nil)
        )
        let step = try await scene.step(campaign)
        if case .send = step {
            #expect(seconds > 0)
        } else {
            #expect(seconds <= 0)
            #expect(step == .outlive(try scene.id("sale"), expires))
        }
    }

    @Test func `a scheduled campaign waits unchanged until it is due`() async throws {
        let campaign = try scene.campaign(schedule: at(3_600))
        try await scene.remember(scene.plan([campaign]))
        let plan = try await scene.plan([campaign])
        #expect(plan.campaigns.map(\.step) == [.unchanged])
        #expect(plan.campaigns[0].definition == nil)
        #expect(!plan.hasChanges)
        let due = try await scene.step(campaign, at: PlanScene.now.advanced(bySeconds: 3_600))
        guard case .send = due else {
            Issue.record("\(due)")
            return
        }
        let late = try await scene.step(
            campaign,
            at: PlanScene.now.advanced(bySeconds: 3_600 + 601)
        )
        #expect(late == .expire(try scene.id("sale"), PlanScene.moment(3_600)))
    }

    @Test func `another due time reschedules the occurrence`() async throws {
        try await scene.remember(scene.plan([scene.campaign(schedule: at(3_600))]))
        let plan = try await scene.plan([scene.campaign(schedule: at(7_200))])
        let from = PlanScene.now.advanced(bySeconds: 3_600)
        #expect(
            plan.campaigns[0].step
                == .reschedule(try scene.id("sale"), from: from, to: PlanScene.moment(7_200))
        )
        #expect(plan.campaigns[0].definition != nil)
        #expect(
            plan.campaigns[0].changes == [
                FieldChange(
                    path: "schedule",
                    before: "2027-01-15 09:00 UTC",
                    after: "2027-01-15 10:00 UTC"
                )
            ]
        )
    }

    @Test func `another message before the due time redefines the occurrence`() async throws {
        try await scene.remember(scene.plan([scene.campaign(schedule: at(3_600))]))
        let plan = try await scene.plan([scene.campaign(title: "Bye", schedule: at(3_600))])
        let redefined = CampaignStep.redefine(try scene.id("sale"), PlanScene.moment(3_600))
        #expect(plan.campaigns[0].step == redefined)
        #expect(
            plan.campaigns[0].changes == [
                FieldChange(path: "message.notification.title", before: "Hello", after: "Bye")
            ]
        )
    }

    @Test func `an expired campaign stays expired until it gets a future due time`() async throws {
        let campaign = try scene.campaign(schedule: at(-601))
        try await scene.remember(scene.plan([campaign]))
        #expect(try await scene.step(campaign) == .unchanged)
        let moment = PlanScene.moment(60)
        let step = try await scene.step(scene.campaign(schedule: .at(moment)))
        #expect(step == .schedule(try scene.id("sale"), moment))
    }

    @Test func `plans a changed expired campaign as a new one`() async throws {
        try await scene.remember(scene.plan([scene.campaign(schedule: at(-601))]))
        let now = try await scene.plan([scene.campaign()])
        #expect(now.sends.map(\.due) == [PlanScene.now])
        #expect(now.campaigns.map(\.step) == now.sends.map(CampaignStep.send))
        let just = try await scene.plan([scene.campaign(schedule: at(-600))])
        #expect(just.sends.map(\.due) == [PlanScene.now.advanced(bySeconds: -600)])
        let late = try await scene.plan([scene.campaign(title: "Bye", schedule: at(-602))])
        let expired = CampaignStep.expire(try scene.id("sale"), PlanScene.moment(-602))
        #expect(late.campaigns.map(\.step) == [expired])
        #expect(late.campaigns[0].definition != nil)
    }
}

// MARK: - Expired messages

extension CampaignStepTests {
    private func living(_ seconds: Int64?) throws -> Campaign {
        try scene.campaign(
            to: .registrations(scene.inline(0, 1, 2)),
            fields: ["notification": ["title": "A"]],
            delivery: Delivery(
                timeToLive: seconds.flatMap { TimeToLive(seconds: $0) },
                priority: nil,
                collapse: nil
            )
        )
    }

    /// The lifetime counts from the due time, not from a late apply.
    @Test func `does not start a send whose message has expired since the due time`() async throws {
        let living = { (due: Int64) in
            try scene.campaign(
                fields: ["notification": ["title": "A"]],
                delivery: Delivery(
                    timeToLive: TimeToLive(seconds: 60),
                    priority: nil,
                    collapse: nil
                ),
                schedule: .at(PlanScene.moment(due))
            )
        }
        guard case .send = try await scene.step(living(-60)) else {
            Issue.record("not begun")
            return
        }
        let over = try await scene.step(living(-61))
        #expect(try over == .outlive(scene.id("sale"), PlanScene.moment(-61)))
    }

    /// A due occurrence continues until the end of its lifetime: at least ten seconds, four weeks
    /// by default.
    @Test(arguments: [(60, 60), (11, 11), (9, 10), (0, 10), (nil, 2_419_200)] as [(Int64?, Int64)])
    func `continues a send until its message has expired`(
        life: Int64?,
        last: Int64
    ) async throws {
        let campaign = try living(life)
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .returned], of: unit)
        guard
            case .resume = try await scene.step(
                campaign,
                at: PlanScene.now.advanced(bySeconds: last)
            )
        else {
            Issue.record("not resumed at \(last)")
            return
        }
        let plan = try await scene.plan([campaign], at: PlanScene.now.advanced(bySeconds: last + 1))
        guard case .lapse(let send) = plan.campaigns[0].step else {
            Issue.record("\(plan.campaigns[0].step)")
            return
        }
        #expect(send.remaining == 2)
        #expect(send.due == PlanScene.now)
        #expect(plan.sends == [])
        #expect(plan.hasChanges)
        let summary = PlanSummary(plan)
        #expect(summary.expired == 1)
        #expect(summary.requests == 0)
    }

    @Test func `uses the lifetime of the message that the send started with`() async throws {
        let unit = try await scene.begin(living(60))
        try await scene.record([.returned], of: unit)
        let longer = try await scene.plan(
            [living(3_600)],
            at: PlanScene.now.advanced(bySeconds: 61)
        )
        guard case .lapse = longer.campaigns[0].step else {
            Issue.record("\(longer.campaigns[0].step)")
            return
        }
        #expect(longer.campaigns[0].definition == nil)
    }

    @Test func `closes a late send without sending if every request has an outcome`() async throws {
        let campaign = try living(0)
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .unknown, .accepted], of: unit)
        let step = try await scene.step(campaign, at: PlanScene.now.advanced(bySeconds: 3_600))
        guard case .resume(let send) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(send.remaining == 0)
    }

    @Test func `a late topic with an unknown outcome still waits for a person`() async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.unknown], of: unit)
        let step = try await scene.step(
            scene.campaign(),
            at: PlanScene.now.advanced(bySeconds: 2_419_201)
        )
        #expect(step == .stopped(try scene.id("sale"), unknown: 1))
    }

    @Test(
        arguments: [
            (["android": ["notification": ["title": "A"], "ttl": "5s"]], 5),
            (["android": ["notification": ["title": "A"], "ttl": "3.5s"]], 3),
            (["android": ["notification": ["title": "A"]]], 2_419_200),
            (["notification": ["title": "A"], "android": ["ttl": "5s"]], 2_419_200),
            (
                [
                    "notification": ["title": "A"], "android": ["ttl": "5s"],
                    "apns": ["headers": ["apns-expiration": "0"]],
                    "webpush": ["headers": ["TTL": "70"]],
                ], 70
            ),
        ] as [(JSONObject, Int64)]
    )
    func `uses the longest lifetime of all platforms`(
        fields: JSONObject,
        life: Int64
    ) async throws {
        let plan = try await scene.plan([scene.campaign(fields: fields)])
        #expect(plan.sends.map(\.template.life) == [life])
    }
}

// MARK: - Recipients

extension CampaignStepTests {
    @Test func `reports the recipients of a campaign by name and number`() async throws {
        let condition = try Condition(parsing: "'a' in topics")
        let campaigns = [
            try scene.campaign("topic"), try scene.campaign("condition", to: .condition(condition)),
            try scene.campaign("inline", to: .registrations(scene.inline(0, 1))),
            try scene.campaign("file", to: .registrations(scene.file(0..<3))),
        ]
        #expect(
            try await scene.plan(campaigns).campaigns.map(\.audience) == [
                .topic(scene.topic(), reach: nil), .condition("'a' in topics"),
                .list(name: nil, count: 2, people: nil),
                .list(name: "list.txt", count: 3, people: nil),
            ]
        )
    }

    @Test func `a list of an audience has the audience's name`() async throws {
        let list = try scene.file(0..<3)
        let campaign = Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .registrations(list),
            audience: AudienceID("all"),
            content: MessageContent(fields: ["notification": ["title": "A"]]),
            delivery: .unspecified,
            schedule: .immediate
        )
        let plan = try await scene.plan([campaign], audiences: [scene.audience(list, in: nil)])
        #expect(plan.campaigns.map(\.audience) == [.list(name: "all", count: 3, people: nil)])
        #expect(try await scene.plan([]).campaigns.map(\.audience) == [])
    }
}

// MARK: - Occurrences in progress

extension CampaignStepTests {
    @Test func `does not repeat a finished send, regardless of changes`() async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.accepted], of: unit)
        try await scene.store.close(scene.id("sale"), as: .finished)
        #expect(try await scene.step(scene.campaign()) == .unchanged)
        let plan = try await scene.plan([scene.campaign(title: "Bye")])
        #expect(plan.campaigns[0].step == .alreadySent)
        #expect(plan.campaigns[0].definition != nil)
        try await scene.remember(plan)
        #expect(try await scene.step(scene.campaign(title: "Bye")) == .unchanged)
    }

    @Test func `resumes an interrupted list with the requests that are known to be unsent`()
        async throws
    {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3)))
        let unit = try await scene.begin(campaign)
        try await scene.record([.returned, .intended, .accepted], of: unit)
        let plan = try await scene.plan([scene.campaign(to: campaign.target, title: "Bye")])
        guard case .resume(let send) = plan.campaigns[0].step else {
            Issue.record("\(plan.campaigns[0].step)")
            return
        }
        #expect(send.remaining == 2)
        guard case .stored(_, let fingerprints) = send.target else {
            Issue.record("no stored list")
            return
        }
        #expect(try fingerprints == scene.fingerprints(0, 3))
        #expect(send.unit?.id == unit.id)
        #expect(send.template.preview.message["notification"] == ["title": "Hello"])
        #expect(plan.campaigns[0].definition == nil)
        #expect(plan.campaigns[0].changes.map(\.path) == ["message.notification.title"])
    }

    @Test func `resumes a topic send that was returned`() async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.returned], of: unit)
        let step = try await scene.step(scene.campaign())
        guard case .resume(let send) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(send.target == .topic(try scene.topic()))
        #expect(send.remaining == 1)
    }

    @Test(arguments: [Outcome.unknown, .intended])
    func `a topic with an unknown outcome waits for a person`(outcome: Outcome) async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([outcome], of: unit)
        let plan = try await scene.plan([scene.campaign(title: "Bye")])
        #expect(plan.campaigns[0].step == .stopped(try scene.id("sale"), unknown: 1))
        #expect(plan.campaigns[0].definition == nil)
        #expect(!plan.hasChanges)
    }

    @Test func `closes a send that has every outcome but no end`() async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.accepted], of: unit)
        let plan = try await scene.plan([scene.campaign()])
        guard case .resume(let send) = plan.campaigns[0].step else {
            Issue.record("\(plan.campaigns[0].step)")
            return
        }
        #expect(send.remaining == 0)
        #expect(PlanSummary(plan).requests == 0)
    }

    @Test func `refuses an occurrence that cannot be read`() async throws {
        let plan = try await scene.plan([scene.campaign()])
        try await scene.remember(plan)
        _ = try await scene.store.open(
            OpenedOccurrence(
                id: scene.id("sale"),
                due: PlanScene.now,
                message: "of another time",
                target: .topic(scene.topic()),
                count: 1
            ),
            in: scene.store.beginRun(StoreFixtures.worker)
        )
        await #expect(throws: PlanningError.unreadableOccurrence(try scene.id("sale"))) {
            try await scene.plan([scene.campaign()])
        }
    }

    @Test func `refuses a list that cannot be read`() async throws {
        let campaign = try scene.campaign(to: .registrations(.inline([])))
        await #expect(throws: PlanningError.list(.empty(path: nil))) {
            try await scene.plan([campaign])
        }
    }
}

// MARK: - Removed campaigns

extension CampaignStepTests {
    private func cancelled(due: Instant, unsent: Int?) throws -> CampaignStep {
        .cancel(CancelledSend(occurrence: try scene.id("sale"), due: due, unsent: unsent))
    }

    @Test func `cancels a removed scheduled campaign`() async throws {
        try await scene.remember(scene.plan([scene.campaign(schedule: at(3_600))]))
        let plan = try await scene.plan([])
        let due = PlanScene.moment(3_600).instant
        #expect(plan.campaigns.map(\.step) == [try cancelled(due: due, unsent: nil)])
        #expect(plan.hasChanges)
    }

    @Test func `cancels a removed campaign in progress`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1, 2))))
        try await scene.record([.accepted, .returned], of: unit)
        let steps = try await scene.plan([]).campaigns.map(\.step)
        #expect(steps == [try cancelled(due: PlanScene.now, unsent: 2)])
    }

    @Test func `cancels open occurrences even if their definition is gone`() async throws {
        _ = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1))))
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        try await scene.store.record([.retire(scene.campaign().id)], in: run)
        let steps = try await scene.plan([]).campaigns.map(\.step)
        #expect(steps == [try cancelled(due: PlanScene.now, unsent: 2)])
    }

    @Test(.covers("F4-final")) func `retires a removed campaign that was sent`() async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.accepted], of: unit)
        try await scene.store.close(scene.id("sale"), as: .finished)
        #expect(try await scene.plan([]).campaigns.map(\.step) == [.retire])
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        try await scene.store.record([.retire(scene.campaign().id)], in: run)
        #expect(try await scene.plan([]).campaigns == [])
    }

    @Test func `a campaign that was cancelled before it started may be added again`() async throws {
        let campaign = try scene.campaign(schedule: at(3_600))
        try await scene.remember(scene.plan([campaign]))
        try await scene.store.close(scene.id("sale"), as: .cancelled)
        let expected = CampaignStep.schedule(try scene.id("sale"), PlanScene.moment(3_600))
        #expect(try await scene.step(campaign) == expected)
    }

    @Test func `does not resend a campaign that was cancelled during its send`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1)))
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .cancelled], of: unit)
        try await scene.store.close(scene.id("sale"), as: .cancelled)
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        try await scene.store.record([.retire(campaign.id)], in: run)
        let plan = try await scene.plan([campaign])
        #expect(plan.campaigns.map(\.step) == [.alreadySent])
        try await scene.remember(plan)
        #expect(try await scene.step(campaign) == .unchanged)
    }

    @Test func `orders campaigns as in the files, with removed ones by name at the end`()
        async throws
    {
        try await scene.remember(
            scene.plan([
                scene.campaign("zebra", schedule: at(60)), scene.campaign("ape", schedule: at(60)),
                scene.campaign("b", schedule: at(60)),
            ])
        )
        let plan = try await scene.plan([
            scene.campaign("m"), scene.campaign("b", schedule: at(60)), scene.campaign("c"),
        ])
        #expect(plan.campaigns.map(\.campaign.rawValue) == ["m", "b", "c", "ape", "zebra"])
    }
}

// MARK: - Changed fields

extension CampaignStepTests {
    @Test(.covers("M10")) func `names changes by path, including removed and new fields`()
        async throws
    {
        let before = try scene.campaign(
            fields: ["notification": ["title": "A", "body": "B"], "data": ["x": "1"]],
            schedule: at(60)
        )
        let after = try scene.campaign(
            to: .condition(Condition(parsing: "'a' in topics")),
            fields: ["notification": ["body": "B", "image": "https://i"], "data": "y"],
            schedule: at(60)
        )
        try await scene.remember(scene.plan([before]))
        #expect(
            try await scene.plan([after]).campaigns[0].changes == [
                FieldChange(path: "audience.condition", before: nil, after: "'a' in topics"),
                FieldChange(path: "audience.topic", before: "news", after: nil),
                FieldChange(path: "message.data", before: ["x": "1"], after: "y"),
                FieldChange(
                    path: "message.notification.image",
                    before: nil,
                    after: "https://i"
                ),
                FieldChange(path: "message.notification.title", before: "A", after: nil),
            ]
        )
    }

    @Test func `owner and description are not a change`() async throws {
        let campaign = try scene.campaign(schedule: at(60))
        try await scene.remember(scene.plan([campaign]))
        let renamed = Campaign(
            id: campaign.id,
            about: "new words",
            owner: "ada",
            target: campaign.target,
            audience: nil,
            content: campaign.content,
            delivery: campaign.delivery,
            schedule: campaign.schedule
        )
        #expect(try await scene.step(renamed) == .unchanged)
    }
}
