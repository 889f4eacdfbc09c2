import CampaignModel
import JSON
import StoreConformance
import Testing
import Time

@testable import Planning
@testable import Presentation

struct PlanStoryTests {
    private func entry(_ name: String, of golden: PlanGolden) async throws -> PlanEntry {
        let entries = try await golden.story().groups.flatMap(\.entries)
        return try #require(entries.first { $0.name == name })
    }

    @Test func `shows a skipped local time as clocks show it, and as written`() async throws {
        let moment = try #require(try await entry("skipped", of: .clocks).headlines.first?.moment)
        #expect(moment.local == "2027-03-28 03:30")
        #expect(
            moment.note
                == "02:30 does not exist that day, because clocks go forward; it is sent at 03:30 "
                + "(2027-03-28T01:30:00Z)"
        )
        let slot = try #require(try await entry("daily", of: .clocks).laterMoments.first)
        #expect(slot.local == "2027-03-28 03:00")
        #expect(
            slot.note
                == "02:30 does not exist that day, because clocks go forward; it is sent at 03:00 "
                + "(2027-03-28T01:00:00Z)"
        )
    }

    @Test func `coming days show clock times`() async throws {
        let timeline = PlanTimeline(try await PlanGolden.clocks.plan(), zones: PlanGolden.zones)
        let moments = timeline.sendings.filter { $0.moment.utc.hasPrefix("2027-03-28") }
        #expect(moments.map(\.moment.local) == ["2027-03-28 03:00", "2027-03-28 03:30"])
    }

    @Test func `a list that is read when its send begins has no count`() async throws {
        let call = try await entry("call", of: .atSend)
        #expect(call.headlines.map(\.text) == ["sends now to the registrations of boat-owners"])
        #expect(
            call.who == [
                "Known only when sent: Herald reads and checks the list when the send begins.",
                "The list is people.csv.",
            ]
        )
        #expect(call.reach == "known only when sent")
        #expect(call.how == ["1 request per registration."])
        #expect(
            call.personal?.sentences { "“\($0)”" } == [
                "Each row must have a value for “name”; if one has none, nothing is sent to any row.",
                "Rows without a value for “boat” get “your boat”.",
            ]
        )
        let moved = try await entry("moved", of: .atSend)
        #expect(moved.changes.map(\.name) == ["list"])
        #expect(moved.changes.map(\.before) == ["3 registrations"])
        #expect(moved.changes.map(\.after) == ["known only when sent"])
    }

    private func wording(of list: EditedList) throws -> String {
        let scene = try PlanScene()
        let plan = try PlanOfActions.plan(
            memberships: [],
            campaigns: [],
            notices: [.editedList(try scene.id("sale"), list)]
        )
        let notices = PlanDescription(plan, zones: PlanGolden.zones).notices
        return try #require(notices.first).wording
    }

    private func edited(remaining: Int, removed: [Fingerprint], added: Int) -> EditedList {
        EditedList(
            stored: ListID(text: "aa"),
            current: ListID(text: "bb"),
            remaining: remaining,
            removed: removed,
            added: added
        )
    }

    @Test func `counts the requests of an edited list, and names three removed registrations`()
        throws
    {
        let head = "its list has changed since the send began: "
        let names = (0..<4).map { Fingerprint(high: $0, low: 0) }
        let digits = "000000000000000"
        #expect(
            try wording(of: edited(remaining: 1_700, removed: names, added: 1_000))
                == head + "1,700 requests to the original list remain, 4 of them to registrations "
                + "that are no longer in the list (`\(digits)0`, `\(digits)1`, `\(digits)2` and "
                + "1 more); 1,000 registrations are new in the list and get nothing"
        )
        #expect(
            try wording(of: edited(remaining: 2, removed: Array(names.prefix(2)), added: 0))
                == head + "2 requests to the original list remain, all of them to registrations "
                + "that are no longer in the list (`\(digits)0` and `\(digits)1`)"
        )
        #expect(
            try wording(of: edited(remaining: 9, removed: Array(names.prefix(1)), added: 0))
                == head + "9 requests to the original list remain, 1 of them to a registration "
                + "that is no longer in the list (`\(digits)0`)"
        )
        #expect(
            try wording(of: edited(remaining: 1, removed: [], added: 1))
                == head + "1 request to the original list remains; 1 registration is new in the "
                + "list and gets nothing"
        )
    }

    @Test func `a cancelled campaign is not called removed, and a removed one counts once`()
        async throws
    {
        let scene = try PlanScene()
        let rule = try scene.rule("30 7 * * *")
        let later = try scene.campaign("later", schedule: .at(PlanScene.moment(3_600)))
        try await scene.remember(scene.plan([rule, later]))
        func summary(_ campaigns: [Campaign]) async throws -> String {
            PlanDescription(try await scene.plan(campaigns), zones: PlanGolden.zones).summary
        }
        let other = try scene.rule("30 9 * * *")
        #expect(
            try await summary([other, later])
                == "Plan: 1 campaign moved. 1 campaign unchanged: later."
        )
        #expect(
            try await summary([rule])
                == "Plan: 1 campaign removed with unsent messages. 1 campaign unchanged: daily."
        )
        #expect(
            try await summary([later, scene.campaign("now")])
                == "Plan: 2 campaigns: 1 sent now, 1 removed with unsent messages. 1 request. "
                + "1 campaign unchanged: later."
        )
    }

    @Test func `counts in headings are those of the summary`() async throws {
        for golden in PlanGolden.allCases {
            let story = try await golden.story()
            for group in story.groups where group.kind != .memberships {
                #expect(group.count == group.entries.count.counting("campaign"))
            }
            let campaigns = story.groups.filter { $0.kind != .memberships }.flatMap(\.entries)
            guard !campaigns.isEmpty else { continue }
            #expect(story.summary.contains(" \(campaigns.count.counting("campaign"))"))
        }
    }

    @Test func `a rule that missed a slot and continues has its own group`() async throws {
        let groups = try await PlanGolden.everything.story().groups
        let kinds = groups.filter { $0.entries.contains { $0.name == "nightly" } }.map(\.kind)
        #expect(kinds == [.postponed])
    }

    @Test func `counts changes of memberships by topic and audience`() async throws {
        let scene = try PlanScene()
        func change(
            _ audience: String,
            _ topic: String,
            joins: Int,
            leaves: Int
        ) throws
            -> MembershipChange
        {
            MembershipChange(
                scope: try StoreFixtures.scope(audience, topic),
                list: nil,
                joins: try (0..<joins).flatMap { try scene.fingerprints($0) },
                leaves: try (0..<leaves).flatMap { try scene.fingerprints($0) },
                forgotten: []
            )
        }
        let joins = try ["a", "b"].map { try change("all", $0, joins: 2, leaves: 0) }
        #expect(MembershipCounts(joins).heading == "4 joins in 2 topics")
        #expect(MembershipCounts(joins).summary == "4 joins in 2 topics")
        let both = try ["all", "beta"].map { try change($0, "a", joins: 1, leaves: 2) }
        #expect(MembershipCounts(both).heading == "6 changes in 1 topic for 2 audiences")
        #expect(
            MembershipCounts(both).summary
                == "6 changes of memberships in 1 topic for 2 audiences (4 leaves and 2 joins)"
        )
        #expect(MembershipCounts([]).summary == nil)
    }

    @Test func `a change of the schedule's kind or the lifetime replaces the whole field`()
        async throws
    {
        let scene = try PlanScene()
        let first = try scene.rule("30 7 * * *")
        try await scene.remember(scene.plan([first]))
        let moved = try scene.campaign("daily", schedule: .at(PlanScene.moment(3_600)))
        let plan = try await scene.plan([moved])
        let changes = PlanDescription(plan, zones: PlanGolden.zones).groups.flatMap(\.entries)
            .flatMap(\.changes)
        let schedule = try #require(changes.first { $0.name == "schedule" })
        #expect(schedule.segments.map(\.kind) == [.removed, .added])
        let tide = try await entry("spring-tide", of: .changed)
        let life = try #require(tide.changes.first { $0.name == FieldName.life })
        #expect(life.segments.map(\.text) == ["up to 12h", "up to 6h"])
        let hour = try #require(tide.changes.first { $0.name == "schedule" })
        #expect(hour.segments.contains { $0.kind == .same })
    }

    @Test func `a count of days has a comma between thousands`() {
        let now = Instant(secondsSince1970: 0)
        let moment = Instant(secondsSince1970: 3_771 * 86_400)
        #expect(MomentWording(now: now).distance(moment) == "in 3,771 days")
    }

    @Test(
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min"), (90, "90 s"), (3_599, "60 min"),
            (3_600, "1 h"), (5_400, "90 min"), (86_399, "24 h"), (88_200, "1 day"),
            (129_600, "36 h"), (169_200, "2 days"), (19_800, "5 h 30 min"), (330, "5 min 30 s"),
            (93_600, "1 day 2 h"), (302_400, "3 days 12 h"),
        ] as [(Int64, String)]
    )
    func `a distance is rounded, with two units if one is too coarse`(seconds: Int64, words: String)
    {
        #expect(MomentWording.length(seconds) == words)
    }

    private func entries(_ scene: PlanScene, _ campaigns: [Campaign]) async throws -> [PlanEntry] {
        let plan = try await scene.plan(campaigns)
        return PlanDescription(plan, zones: PlanGolden.zones).groups.flatMap(\.entries)
    }

    @Test func `a moved send is one headline with the old and the new time`() async throws {
        let scene = try PlanScene()
        let first = try scene.campaign("later", schedule: .at(PlanScene.moment(3_600)))
        try await scene.remember(scene.plan([first]))
        let sameDay = try scene.campaign("later", schedule: .at(PlanScene.moment(5_400)))
        let headline = try await entries(scene, [sameDay]).flatMap(\.headlines)
        #expect(
            headline.map(\.wording) == ["moves from Friday 09:00 to 09:30 and goes to topic news"]
        )
        let nextDay = try scene.campaign("later", schedule: .at(PlanScene.moment(90_000)))
        let dated = try await entries(scene, [nextDay]).flatMap(\.headlines)
        #expect(
            dated.map(\.wording) == [
                "moves from Friday 2027-01-15 09:00 to Saturday 2027-01-16 09:00 and goes to "
                    + "topic news"
            ]
        )
    }

    @Test func `a changed rule moves its next send, unless the revision changes`() async throws {
        let scene = try PlanScene()
        try await scene.remember(scene.plan([try scene.rule("30 10 * * *")]))
        let moved = try await entries(scene, [try scene.rule("0 11 * * *")])
        #expect(
            moved.flatMap(\.headlines).map(\.wording) == [
                "now repeats at 11:00 every day instead of at 10:30 every day, to topic news"
            ]
        )
        #expect(moved.first?.headlines.first?.former?.local == "2027-01-15 10:30")
        let raised = try await entries(scene, [try scene.rule("0 11 * * *", revision: 2)])
        #expect(raised.flatMap(\.headlines).map(\.symbol) == [.add, .remove])
    }

    @Test func `a scheduled send says how late it may be`() async throws {
        let scene = try PlanScene()
        func lateness(
            _ late: LatePolicy.Late? = nil,
            lateAfter: Int64 = 600,
            ttl: Int64? = nil
        ) async throws -> String? {
            let campaign = try ReviewedVariations(scene).campaign(
                "later",
                to: .topic(scene.topic()),
                delivery: Delivery(
                    timeToLive: ttl.flatMap(TimeToLive.init),
                    priority: nil,
                    collapse: nil
                ),
                schedule: .at(PlanScene.moment(3_600)),
                timeliness: LatePolicy(
                    late: late,
                    lateAfter: lateAfter,
                    until: nil,
                    reasonInQuietHours: nil
                )
            )
            return try await entries(scene, [campaign]).first?.lateness
        }
        #expect(
            try await lateness()
                == "sent up to 10 min late, then not at all, which is reported as a failure "
                + "(`late_after: 10m`, `late: fail`)"
        )
        #expect(
            try await lateness(.skip, lateAfter: 5_400)
                == "sent up to 90 min late, then skipped (`late_after: 1h30m`, `late: skip`)"
        )
        #expect(
            try await lateness(.send)
                == "sent even if late, until its message expires (`late: send`)"
        )
        #expect(
            try await lateness(ttl: 300)
                == "sent up to 5 min late, then not at all (its message expires)"
        )
        let rule = try await entries(scene, [scene.rule("0 9 * * *")]).first
        #expect(rule?.lateness?.hasSuffix("`late: skip`)") == true)
        #expect(try await entries(scene, [scene.campaign()]).first?.lateness == nil)
    }

    @Test func `a changed message keeps the key of its scheduled send`() async throws {
        let scene = try PlanScene()
        func campaign(_ title: String) throws -> Campaign {
            try scene.campaign(title: title, schedule: .at(PlanScene.moment(3_600)))
        }
        let first = try await entries(scene, [campaign("Hello")])
        try await scene.remember(scene.plan([campaign("Hello")]))
        let changed = try await entries(scene, [campaign("Bye")])
        let key = first.first?.message?.replacement?.key
        #expect(key != nil)
        #expect(changed.first?.message?.replacement?.key == key)
        #expect(changed.first?.message?.platforms.flatMap(\.fields) == [])
    }

    @Test func `the summary counts a dropped send`() async throws {
        let scene = try PlanScene()
        try await scene.remember(scene.plan([scene.rule("30 10 * * 1-5")]))
        let plan = try await scene.plan([scene.rule("0 8 * * 1-5")])
        let summary = PlanDescription(plan, zones: PlanGolden.zones).summary
        #expect(summary == "Plan: 1 campaign moved with a dropped send.")
    }

    @Test(arguments: [Int64(0), 60])
    func `only a stored ping is replaced by a newer one`(seconds: Int64) async throws {
        let scene = try PlanScene()
        let delivery = Delivery(
            timeToLive: TimeToLive(seconds: seconds),
            priority: nil,
            collapse: nil
        )
        let ping = try scene.campaign("wake", fields: [:], delivery: delivery)
        let message = try #require(try await entries(scene, [ping]).first?.message)
        let isStored = seconds > 0
        for platform in message.platforms {
            let replaces = isStored ? "an offline device gets only the newest" : nil
            #expect(platform.replaces == replaces)
            #expect((platform.life == "delivered at once or discarded (TTL 0)") == !isStored)
        }
    }
}
