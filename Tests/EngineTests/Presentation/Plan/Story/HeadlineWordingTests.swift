import CampaignModel
import JSON
import Planning
import State
import Testing
import Time

@testable import Presentation

struct HeadlineWordingTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaign(
        revision: Int = 1,
        schedule: Schedule = .immediate,
        late: LatePolicy.Late? = nil
    ) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .topic(try scene.topic()),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: .unspecified,
            schedule: schedule,
            timeliness: LatePolicy(
                late: late,
                lateAfter: 600,
                until: nil,
                reasonInQuietHours: nil
            ),
            revision: revision
        )
    }

    /// Returns the headlines of a plan, in order.
    private func headlines(_ campaign: Campaign) async throws -> [String] {
        let plan = try await scene.plan([campaign])
        let story = PlanDescription(plan, zones: PlanGolden.zones)
        return story.groups.flatMap(\.entries).flatMap(\.headlines).map(\.wording)
    }

    @Test func `a raised revision sends again`() async throws {
        let unit = try await scene.begin(try campaign())
        try await scene.record([.accepted], of: unit)
        try await scene.store.close(scene.id("sale"), as: .finished)
        let raised =
            "topic news (revision raised from 1 to 2: also to devices that got revision 1)"
        #expect(try await headlines(campaign(revision: 2)) == ["sends again now to " + raised])
        let later = try campaign(revision: 2, schedule: .at(PlanScene.moment(60)))
        #expect(try await headlines(later) == ["is scheduled to go again to " + raised])
    }

    @Test func `the first send of a raised revision does not send again`() async throws {
        #expect(try await headlines(campaign(revision: 2)) == ["sends now to topic news"])
    }

    @Test func `a recorded campaign that was not sent is sent for the first time`() async throws {
        try await scene.remember(scene.plan([campaign()]))
        #expect(try await headlines(campaign()) == ["sends now for the first time to topic news"])
    }

    @Test func `a changed audience is named with the previous one`() async throws {
        let hour = Schedule.at(PlanScene.moment(3_600))
        let condition = try Condition(parsing: "'news' in topics && 'sport' in topics")
        let old: [(AudienceTarget, String)] = [
            (.topic(try scene.topic("sport")), "topic sport"),
            (.condition(condition), "all devices in topic news that are also in sport"),
            (.group(try #require(DeviceGroupName("ada"))), "device group ada"),
            (.registrations(try scene.inline(0)), "the registrations listed in the campaign"),
        ]
        for (target, name) in old {
            let scene = try PlanScene()
            let first = try scene.campaign(to: target, schedule: hour)
            try await scene.remember(scene.plan([first]))
            let plan = try await scene.plan([scene.campaign(schedule: hour)])
            let entry = PlanDescription(plan, zones: PlanGolden.zones).groups.first?.entries.first
            #expect(
                entry?.headlines.first?.wording
                    == "changed; it is now scheduled to go to topic news instead of \(name)"
            )
        }
    }

    @Test func `missed due times of a rule name the next one`() async throws {
        func missed(_ late: LatePolicy.Late, until: String? = nil) async throws -> String? {
            let scene = try PlanScene()
            let rule = try scene.rule("0 6 * * *", until: until, late: late)
            let start = PlanScene.now.advanced(bySeconds: -3 * 86_400)
            try await scene.remember(scene.plan([rule], at: start))
            let story = PlanDescription(try await scene.plan([rule]), zones: PlanGolden.zones)
            return story.groups.flatMap(\.entries).flatMap(\.headlines).map(\.wording)
                .first { $0.hasPrefix("missed") }
        }
        let three =
            "missed 3 due times, Wednesday 2027-01-13 06:00 to Friday 2027-01-15 06:00 "
            + "Europe/Berlin; nothing is sent for them"
        let next = "; the rule continues: next due Saturday 2027-01-16 06:00"
        #expect(try await missed(.skip) == three + next)
        #expect(
            try await missed(.fail) == three + "; this counts as a failure (late: fail)" + next
        )
        #expect(
            try await missed(.skip, until: "2027-01-15 12:00")
                == three + "; the rule has no more due times"
        )
        #expect(
            try await missed(.send)
                == "missed 2 due times, Wednesday 2027-01-13 06:00 to Thursday 2027-01-14 06:00 "
                + "Europe/Berlin; only the latest due time after them is sent"
        )
    }

    @Test func `a send after its due time names the key that allows it`() async throws {
        func late(_ seconds: Int64, _ late: LatePolicy.Late? = nil) async throws -> [String] {
            try await headlines(campaign(schedule: .at(PlanScene.moment(-seconds)), late: late))
        }
        let start = "sends now to topic news"
        #expect(try await late(0) == [start])
        #expect(
            try await late(300)
                == [start + ", 5 min after its due time (late_after allows 10 min)"]
        )
        #expect(
            try await late(7_200, .send)
                == [start + ", 2 h after its due time (late: send allows it)"]
        )
    }
}
