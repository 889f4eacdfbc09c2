import CampaignModel
import JSON
import State
import StoreConformance
import Testing
import Time

@testable import Planning

struct QuietStepTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private static let end = QuietScene.end

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private func moment(_ text: String) throws -> ScheduledMoment {
        let instant = try instant(text)
        return PlanScene.moment(instant.seconds(since: PlanScene.now))
    }

    private func campaign(
        at text: String?,
        to target: AudienceTarget? = nil,
        expires: String? = nil,
        until: String? = nil,
        reason: String? = nil,
        jitter: Int64 = 0,
        ttl: Int64? = nil,
        late: LatePolicy.Late? = nil,
        revision: Int = 1
    ) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: try target ?? .topic(scene.topic()),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: Delivery(
                timeToLive: ttl.flatMap(TimeToLive.init(seconds:)),
                expires: try expires.map(moment),
                priority: nil,
                collapse: nil
            ),
            schedule: try text.map { .at(try moment($0)) } ?? .immediate,
            timeliness: LatePolicy(
                late: late,
                lateAfter: 600,
                until: try until.map(instant),
                reasonInQuietHours: reason,
                jitter: jitter
            ),
            revision: revision
        )
    }

    private func plan(
        _ campaign: Campaign,
        at now: String = "2027-01-15T08:00:00Z",
        reach: Int? = nil,
        pace: Pace? = nil
    ) async throws -> Plan {
        try await scene.plan(
            [campaign],
            topics: [scene.topic(): TopicDescription(about: nil, reach: reach)],
            guards: QuietScene.guards(),
            pace: pace,
            at: instant(now)
        )
    }

    private func words(_ plan: Plan) -> [String] {
        plan.campaigns.map { action in
            switch action.step {
            case .send: "send"
            case .resume: "resume"
            case .schedule(let id, let moment): "schedule \(id.slot.text) \(moment.instant)"
            case .reschedule(_, _, let moment): "reschedule \(moment.instant)"
            case .expire, .outlive: "expire"
            case .lapse(let send): "lapse \(send.remaining)"
            case .miss(let missed): "miss \(missed.count)"
            case .unchanged: "unchanged"
            default: "\(action.step)"
            }
        }
    }

    private func effects(_ plan: Plan) -> [QuietEffect] {
        plan.notices.compactMap { if case .quietHours(_, let effect) = $0 { effect } else { nil } }
    }

    // MARK: At a time

    @Test func `a send in quiet hours is due after them`() async throws {
        let plan = try await plan(campaign(at: "2027-01-15T23:30:00Z"))
        #expect(words(plan) == ["schedule once \(Self.end)"])
        #expect(
            effects(plan) == [
                QuietEffect(
                    .moved,
                    due: try moment("2027-01-15T23:30:00Z"),
                    until: try moment(Self.end),
                    mayArriveLater: true
                )
            ]
        )
    }

    @Test(arguments: ["2027-01-15T21:59:59Z", "2027-01-16T07:00:00Z", "2027-01-15T12:00:00Z"])
    func `a send outside of quiet hours does not move`(due: String) async throws {
        let plan = try await plan(campaign(at: due))
        #expect(words(plan) == ["schedule once \(due)"])
        #expect(effects(plan).isEmpty)
    }

    @Test func `a send with a reason does not move`() async throws {
        let plan = try await plan(campaign(at: "2027-01-15T23:30:00Z", reason: "Boats sink."))
        #expect(words(plan) == ["schedule once 2027-01-15T23:30:00Z"])
        #expect(effects(plan).isEmpty)
    }

    @Test func `goes out at the end of the hold and not before`() async throws {
        let sale = try campaign(at: "2027-01-15T23:30:00Z")
        try await scene.remember(plan(sale))
        for now in ["2027-01-15T23:30:00Z", "2027-01-16T07:00:00Z", "2027-01-16T07:04:25Z"] {
            #expect(words(try await plan(sale, at: now)) == ["unchanged"])
        }
        #expect(words(try await plan(sale, at: Self.end)) == ["send"])
        // Late is counted from the end of the hold: 10 minutes after 07:04:26.
        #expect(words(try await plan(sale, at: "2027-01-16T07:14:26Z")) == ["send"])
        #expect(words(try await plan(sale, at: "2027-01-16T07:14:27Z")) == ["expire"])
    }

    @Test func `a waiting send that is not late is deferred when quiet hours begin`() async throws {
        let sale = try campaign(at: "2027-01-15T21:55:00Z")
        try await scene.remember(plan(sale))
        let night = try await plan(sale, at: "2027-01-15T22:00:00Z")
        #expect(words(night) == ["reschedule \(Self.end)"])
        #expect(effects(night).map(\.kind) == [.overtaken])
        let late = try campaign(at: "2027-01-15T21:45:00Z")
        #expect(words(try await plan(late, at: "2027-01-15T22:00:00Z")) == ["expire"])
    }

    private static let sixOClock: [(String?, String?)] = [
        ("2027-01-16T06:00:00Z", nil), (nil, "2027-01-16T06:00:00Z"),
    ]

    @Test(arguments: sixOClock)
    func `reports in advance that a send expires in quiet hours`(
        expires: String?,
        until: String?
    ) async throws {
        let sale = try campaign(at: "2027-01-15T23:30:00Z", expires: expires, until: until)
        let plan = try await plan(sale)
        #expect(words(plan) == ["schedule once \(Self.end)"])
        #expect(effects(plan).map(\.kind) == [.expires])
        try await scene.remember(plan)
        let night = try await self.plan(sale, at: "2027-01-15T23:30:00Z")
        #expect(words(night) == ["expire"])
    }

    @Test func `an end exactly at the end of the hold`() async throws {
        let until = try await plan(campaign(at: "2027-01-15T23:30:00Z", until: Self.end))
        #expect(effects(until).map(\.kind) == [.moved])
        let expires = try await plan(campaign(at: "2027-01-15T23:30:00Z", expires: Self.end))
        #expect(effects(expires).map(\.kind) == [.expires])
    }

    @Test func `jitter moves a due time by a share`() async throws {
        // 133 of 600 seconds, as Python computes it.
        let plan = try await plan(campaign(at: "2027-01-15T12:00:00Z", jitter: 600))
        #expect(words(plan) == ["schedule once 2027-01-15T12:02:13Z"])
        let night = try await self.plan(campaign(at: "2027-01-15T21:58:00Z", jitter: 600))
        #expect(words(night) == ["schedule once \(Self.end)"])
    }

    @Test func `jitter moves no send past the end of its schedule`() async throws {
        let until = "2027-01-15T12:01:00Z"
        let plan = try await plan(campaign(at: "2027-01-15T12:00:00Z", until: until, jitter: 600))
        #expect(words(plan) == ["schedule once \(until)"])
    }

    @Test func `a revision that is raised at night is due when the hours end`() async throws {
        try await scene.remember(
            plan(campaign(at: "2027-01-15T12:00:00Z"), at: "2027-01-15T12:30:00Z")
        )
        let raised = try campaign(at: "2027-01-15T12:00:00Z", revision: 2)
        let night = try await plan(raised, at: "2027-01-15T23:00:00Z")
        #expect(words(night) == ["schedule once \(Self.end)"])
        #expect(effects(night).map(\.kind) == [.moved])
        try await scene.remember(night)
        #expect(words(try await plan(raised, at: "2027-01-16T07:04:25Z")) == ["unchanged"])
        let due = try await plan(raised, at: Self.end)
        #expect(words(due) == ["send"])
        #expect(try due.sends.map(\.due) == [instant(Self.end)])
    }

    // MARK: At the next apply

    @Test func `a campaign without a schedule waits until quiet hours end`() async throws {
        let sale = try campaign(at: nil)
        #expect(words(try await plan(sale)) == ["send"])
        let night = try await plan(sale, at: "2027-01-15T23:00:00Z")
        #expect(words(night) == ["schedule once \(Self.end)"])
        #expect(effects(night).map(\.kind) == [.moved])
        try await scene.remember(night)
        for now in ["2027-01-16T03:00:00Z", "2027-01-16T07:04:25Z"] {
            #expect(words(try await plan(sale, at: now)) == ["unchanged"])
        }
        #expect(words(try await plan(sale, at: Self.end)) == ["send"])
        // It is never late, and is deferred again the next night.
        let next = try await plan(sale, at: "2027-01-17T01:00:00Z")
        #expect(words(next) == ["reschedule 2027-01-17T07:04:26Z"])
    }

    // MARK: Fan-outs

    @Test(arguments: [
        // At 10,000 instances a second: 601 s and 502 s, of which 600 s are left.
        (6_000_000, "schedule once 2027-01-16T07:04:26Z"),
        (5_010_000, "schedule once 2027-01-15T21:50:00Z"),
    ]) func `a fan-out that would last into quiet hours waits`(
        _ reach: Int,
        _ step: String
    ) async throws {
        let plan = try await plan(campaign(at: "2027-01-15T21:50:00Z"), reach: reach)
        #expect(words(plan) == [step])
        #expect(effects(plan).map(\.kind) == (reach == 6_000_000 ? [.fanOut] : []))
    }

    @Test func `a fan-out that waited is not late after the hold`() async throws {
        // 2,001 s: it would last until 22:03:21.
        let sale = try campaign(at: "2027-01-15T21:30:00Z")
        try await scene.remember(plan(sale, reach: 20_000_000))
        let early = try await plan(sale, at: "2027-01-16T07:04:25Z", reach: 20_000_000)
        #expect(words(early) == ["unchanged"])
        let due = try await plan(sale, at: Self.end, reach: 20_000_000)
        #expect(words(due) == ["send"])
    }

    // MARK: Lists

    @Test func `estimates how much of a list waits`() async throws {
        let list = AudienceTarget.registrations(try scene.inline(1, 2, 3, 4, 5))
        let pace = Pace(
            sendsPerMinute: 60,
            subscriptionsPerSecond: 1,
            fanOuts: 1,
            fanOutRate: 10_000
        )
        let plan = try await plan(
            campaign(at: nil, to: list),
            at: "2027-01-15T21:59:57Z",
            pace: pace
        )
        #expect(words(plan) == ["send"])
        #expect(
            effects(plan) == [
                // The last request leaves before 21:59:59: one at once, and one after 1.01 s.
                QuietEffect(
                    .interrupted,
                    until: try moment(Self.end),
                    count: 3,
                    mayArriveLater: true
                )
            ]
        )
    }

    @Test func `the rest of a list waits until quiet hours end`() async throws {
        let sale = try campaign(at: nil, to: .registrations(scene.inline(1, 2, 3)))
        let unit = try await scene.begin(sale)
        try await scene.record([.accepted], of: unit)
        let night = try await plan(sale, at: "2027-01-15T23:00:00Z")
        #expect(words(night) == ["unchanged"])
        #expect(!night.hasChanges)
        #expect(
            effects(night) == [
                QuietEffect(.rest, until: try moment(Self.end), count: 2, mayArriveLater: true)
            ]
        )
        #expect(try night.endOfFirstHold == instant(Self.end))
        let spread = try await plan(sale, at: "2027-01-16T07:04:25Z")
        #expect(words(spread) == ["unchanged"])
        #expect(words(try await plan(sale, at: Self.end)) == ["resume"])
    }

    @Test func `the lifetime of an interrupted send counts from the end of the hold`() async throws
    {
        let list = AudienceTarget.registrations(try scene.inline(1, 2, 3))
        let sale = try campaign(at: nil, to: list, ttl: 3_600)
        let unit = try await scene.begin(sale)
        try await scene.record([.accepted], of: unit)
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        let id = try scene.id("sale")
        try await scene.store.record([.deferRest(id, until: instant(Self.end))], in: run)
        let night = try await plan(sale, at: "2027-01-16T00:00:00Z")
        #expect(words(night) == ["unchanged"])
        #expect(
            effects(night) == [QuietEffect(.rest, until: try moment(Self.end), count: 2)]
        )
        #expect(words(try await plan(sale, at: "2027-01-16T08:04:26Z")) == ["resume"])
        #expect(words(try await plan(sale, at: "2027-01-16T08:04:27Z")) == ["lapse 2"])
    }

    @Test func `reports in advance that the rest of a list expires`() async throws {
        let list = AudienceTarget.registrations(try scene.inline(1, 2, 3))
        let sale = try campaign(at: nil, to: list, expires: "2027-01-16T06:00:00Z")
        let unit = try await scene.begin(sale)
        try await scene.record([.accepted], of: unit)
        let night = try await plan(sale, at: "2027-01-15T23:00:00Z")
        #expect(effects(night) == [QuietEffect(.expires, until: try moment(Self.end), count: 2)])
        #expect(words(try await plan(sale, at: "2027-01-16T06:00:00Z")) == ["lapse 2"])
    }

    @Test func `a reason that is added at night lets the rest go at once`() async throws {
        let list = AudienceTarget.registrations(try scene.inline(1, 2))
        let unit = try await scene.begin(campaign(at: nil, to: list))
        try await scene.record([.accepted], of: unit)
        let run = try await scene.store.beginRun(StoreFixtures.worker)
        let id = try scene.id("sale")
        try await scene.store.record([.deferRest(id, until: instant(Self.end))], in: run)
        let urgent = try campaign(at: nil, to: list, reason: "Boats sink.")
        let plan = try await plan(urgent, at: "2027-01-15T23:00:00Z")
        #expect(words(plan) == ["resume"])
        #expect(try plan.sends.map(\.due) == [instant("2027-01-15T23:00:00Z")])
    }

    @Test func `a send that began after the hours does not wait for the spread`() async throws {
        let list = AudienceTarget.registrations(try scene.inline(1, 2))
        let sale = try campaign(at: "2027-01-15T07:01:00Z", to: list)
        let begun = try await plan(sale, at: "2027-01-15T07:01:00Z")
        let send = try #require(begun.sends.first)
        #expect(try send.hold?.endOfRest(due: send.due, at: instant("2027-01-15T07:01:30Z")) == nil)
    }

    @Test func `a late send that may be sent is deferred, too`() async throws {
        let sale = try campaign(at: "2027-01-15T20:00:00Z", late: .send)
        try await scene.remember(plan(sale))
        let night = try await plan(sale, at: "2027-01-15T22:30:00Z")
        #expect(words(night) == ["reschedule \(Self.end)"])
        try await scene.remember(night)
        #expect(words(try await plan(sale, at: Self.end)) == ["send"])
    }

    @Test func `deferrals are what the plan leaves for the end of the hours`() async throws {
        let sale = try campaign(at: "2027-01-15T23:30:00Z")
        let plan = try await plan(sale)
        #expect(plan.deferrals.map(\.occurrence) == [try scene.id("sale")])
        #expect(try plan.deferrals.map(\.until) == [instant(Self.end)])
        let over = try await self.plan(
            campaign(at: "2027-01-15T23:30:00Z", until: "2027-01-16T06:00:00Z")
        )
        #expect(over.deferrals.isEmpty)
    }

    // MARK: Rules

    @Test func `only the last slot of a night is sent`() async throws {
        // 22:30 and 23:30 in Berlin are 21:30 and 22:30 UTC. The hours end at 06:00 UTC.
        let rule = try scene.rule("30 22,23 * * *")
        let first = try await plan(rule, at: "2027-01-15T20:00:00Z")
        // Of ten minutes, Python computes 373 s.
        #expect(words(first) == ["schedule 2027-01-15T23:30 2027-01-16T06:06:13Z"])
        try await scene.remember(first)
        for now in ["2027-01-15T21:30:00Z", "2027-01-16T06:06:12Z"] {
            #expect(words(try await plan(rule, at: now)) == ["unchanged"])
        }
        // The next night: 46 s.
        #expect(
            words(try await plan(rule, at: "2027-01-16T06:06:13Z")) == [
                "miss 1", "send", "schedule 2027-01-16T23:30 2027-01-17T06:00:46Z",
            ]
        )
    }

    @Test func `a slot that is due before the hold ends replaces the slots of the night`()
        async throws
    {
        let rule = try scene.rule("0 * * * *")
        let plan = try await plan(rule, at: "2027-01-15T20:30:00Z")
        #expect(words(plan) == ["schedule 2027-01-16T07:00 2027-01-16T06:00:00Z"])
    }

    /// 19:30 and 23:30 in Berlin are 18:30 and 22:30 UTC.
    @Test(arguments: ["2027-01-15T21:30:00Z", "2027-01-16T06:03:00Z"])
    func `a late slot that may be sent is left to a later slot of the same night`(
        now: String
    ) async throws {
        let rule = try scene.rule("30 19,23 * * *", late: .send)
        let first = try await plan(rule, at: "2027-01-15T12:00:00Z")
        #expect(words(first) == ["schedule 2027-01-15T19:30 2027-01-15T18:30:00Z"])
        try await scene.remember(first)
        let night = try await plan(rule, at: now)
        #expect(words(night) == ["miss 1", "schedule 2027-01-15T23:30 2027-01-16T06:06:13Z"])
        try await scene.remember(night)
        // Alone, 19:30 would be sent at 06:07:44.
        #expect(words(try await plan(rule, at: "2027-01-16T06:06:12Z")) == ["unchanged"])
        #expect(
            words(try await plan(rule, at: "2027-01-16T06:07:44Z"))
                == ["send", "schedule 2027-01-16T19:30 2027-01-16T18:30:00Z"]
        )
    }

    @Test func `a late slot that may be sent waits for the end of the hours alone`() async throws {
        let rule = try scene.rule("30 19 * * *", late: .send)
        try await scene.remember(plan(rule, at: "2027-01-15T12:00:00Z"))
        let night = try await plan(rule, at: "2027-01-15T21:30:00Z")
        // Of ten minutes, Python computes 464 s.
        #expect(
            words(night) == [
                "reschedule 2027-01-16T06:07:44Z",
                "schedule 2027-01-16T19:30 2027-01-16T18:30:00Z",
            ]
        )
        try await scene.remember(night)
        #expect(words(try await plan(rule, at: "2027-01-16T06:07:43Z")) == ["unchanged"])
        #expect(words(try await plan(rule, at: "2027-01-16T06:07:44Z")) == ["send"])
    }

    @Test func `a slot that the hours overtook is left to a later slot of the night`() async throws
    {
        // 21:55 is five minutes late when the hours begin.
        let rule = try scene.rule("55 21,23 * * *")
        try await scene.remember(plan(rule, at: "2027-01-15T12:00:00Z"))
        let night = try await plan(rule, at: "2027-01-15T21:05:00Z")
        // Of ten minutes, Python computes 413 s.
        #expect(words(night) == ["miss 1", "schedule 2027-01-15T23:55 2027-01-16T06:06:53Z"])
        try await scene.remember(night)
        #expect(words(try await plan(rule, at: "2027-01-16T06:10:00Z")).first == "send")
    }

    @Test func `the zones of a list that is read when its send begins are refused`() async throws {
        let list = try ZonedScene(scene).list([], reading: .atSend)
        let sale = try campaign(at: nil, to: .registrations(list))
        await #expect(throws: PlanningError.quietZones(sale.id)) { try await plan(sale) }
    }

    // MARK: In the zones of recipients

    /// Plans the campaign with one registration in each of the zones.
    private func plan(
        zones: [String],
        at due: String?,
        expires: String? = nil,
        now: String = "2027-01-15T08:00:00Z"
    ) async throws -> Plan {
        let list = try ZonedScene(scene).list(zones)
        return try await plan(
            campaign(at: due, to: .registrations(list), expires: expires),
            at: now
        )
    }

    private func zone(_ name: String, _ until: String, _ count: Int?) throws -> QuietEffect.Zone {
        QuietEffect.Zone(name: name, until: try moment(until), count: count)
    }

    @Test func `a send is due in time if it is day for some recipients`() async throws {
        let plan = try await plan(
            zones: ["Asia/Tokyo", "UTC", "America/New_York", ""],
            at: "2027-01-15T23:30:00Z"
        )
        #expect(words(plan) == ["schedule once 2027-01-15T23:30:00Z"])
        #expect(
            effects(plan) == [
                QuietEffect(
                    .zones,
                    until: try moment(Self.end),
                    count: 2,
                    zones: [try zone("UTC", Self.end, 2)],
                    mayArriveLater: true
                )
            ]
        )
    }

    @Test func `a send is due when quiet hours end for the first recipients`() async throws {
        let plan = try await plan(
            zones: ["Europe/Berlin", "UTC", "Europe/Berlin"],
            at: "2027-01-15T23:30:00Z"
        )
        let first = "2027-01-16T06:04:26Z"
        #expect(words(plan) == ["schedule once \(first)"])
        #expect(effects(plan).map(\.kind) == [.moved, .zones])
        #expect(effects(plan).map(\.until) == [try moment(first), try moment(Self.end)])
        #expect(effects(plan).last?.zones == [try zone("UTC", Self.end, 1)])
    }

    @Test func `the campaign's zone does not count if no recipient is in it`() async throws {
        let night = try await plan(zones: ["Asia/Tokyo"], at: "2027-01-15T23:30:00Z")
        #expect(words(night) == ["schedule once 2027-01-15T23:30:00Z"])
        #expect(effects(night).isEmpty)
        let day = try await plan(zones: ["Asia/Tokyo"], at: "2027-01-15T13:30:00Z")
        #expect(words(day) == ["schedule once 2027-01-15T22:04:26Z"])
    }

    @Test func `recipients whose night outlasts the message are left out`() async throws {
        let plan = try await plan(
            zones: ["Asia/Tokyo", "UTC", "Europe/Berlin"],
            at: "2027-01-15T23:30:00Z",
            expires: "2027-01-16T07:00:00Z"
        )
        let effect = try #require(effects(plan).first)
        #expect(effect.zones == [try zone("Europe/Berlin", "2027-01-16T06:04:26Z", 1)])
        #expect(effect.leftOut == 1)
    }

    @Test func `the due time from the state is the same`() async throws {
        let zones = ["Europe/Berlin", "UTC"]
        try await scene.remember(plan(zones: zones, at: "2027-01-15T23:30:00Z"))
        let again = try await plan(
            zones: zones,
            at: "2027-01-15T23:30:00Z",
            now: "2027-01-16T06:04:25Z"
        )
        #expect(words(again) == ["unchanged"])
        let definition = try await scene.store.appliedState().definitions.values.first
        let stored = definition?.sending?.campaign["recipient_zones"]
        #expect(stored == ["Europe/Berlin", "UTC"])
    }
}
