import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// A plan with one action of every kind.
enum SamplePlan {
    static func make() throws -> Plan {
        let scene = try PlanScene()
        return try PlanOfActions.plan(
            memberships: [
                MembershipChange(
                    scope: try StoreFixtures.scope("everyone", "news"),
                    list: try scene.inline(0, 1),
                    joins: try scene.fingerprints(0, 1),
                    leaves: try scene.fingerprints(2),
                    forgotten: try scene.fingerprints(3),
                    noted: try scene.fingerprints(4),
                    staying: 320
                )
            ],
            campaigns: try actions(scene),
            notices: try notices()
        )
    }

    private static func actions(_ scene: PlanScene) throws -> [CampaignAction] {
        let topic = try #require(Topic("news"))
        let pause = Pause(scope: .everything, since: PlanScene.now, user: "ada", host: "desk")
        let (hour, day) = (PlanScene.moment(3_600), PlanScene.moment(2 * 86_400))
        let steps: [(String, CampaignStep, [FieldChange])] = [
            ("new", .send(try send("new", to: list(scene))), []),
            (
                "resumed",
                .resume(
                    try send(
                        "resumed",
                        to: .stored(ListID(text: "aa"), fingerprints: scene.fingerprints(2))
                    )
                ), [change("message.notification.title", "Bye", "Hello")]
            ),
            (
                "lapsed",
                .lapse(
                    try send(
                        "lapsed",
                        to: .stored(ListID(text: "aa"), fingerprints: scene.fingerprints(4, 5))
                    )
                ), [change("message.notification.title", "Bye", "Hello")]
            ),
            ("later", .schedule(try scene.id("later"), PlanScene.moment(3 * 3_600)), []),
            (
                "moved", .reschedule(try scene.id("moved"), from: hour.instant, to: day),
                [change("schedule", "2027-01-15 09:00 UTC", "2027-01-17 08:00 UTC")]
            ),
            ("late", .expire(try scene.id("late"), PlanScene.moment(-1_200)), []),
            (
                "reworded", .redefine(try scene.id("reworded"), hour),
                [change("message.data.a", nil, "\u{1B}[2J")]
            ),
            ("sent", .alreadySent, [change("audience.topic", "news", "sport")]),
            ("halted", .stopped(try scene.id("halted"), unknown: 1), []),
            ("gone", try cancel("gone", unsent: nil), []),
            ("dismissed", try cancel("dismissed", unsent: 3), []),
            ("old", .retire, []),
            ("renamed", .rename(from: try #require(CampaignID("elder"))), []),
            ("paused", .paused(try send("paused", to: .topic(topic)), pause), []),
            ("held", .held(try send("held", to: .topic(topic)), .mostlyDead), []),
            ("mended", .held(try send("mended", to: .topic(topic)), .refusedPayload), []),
            ("skipped", .skip(try scene.id("skipped"), PlanScene.moment(-1_200)), []),
            ("daily", .miss(try missed(3)), []),
            ("minutes", .miss(try missed(10_080)), []),
            ("dropped", .unschedule(try scene.id("dropped"), due: hour.instant), []),
            ("lowered", .lowered(1, sent: 3), [change("revision", "3", "1")]),
            ("over", .ended, []),
            ("same", .unchanged, []),
        ]
        return try steps.map { name, step, changes in
            let id = try #require(CampaignID(name))
            return CampaignAction(
                campaign: id,
                step: step,
                definition: nil,
                changes: changes,
                audience: try audiences()[name],
                template: try templates()[name]
            )
        }
    }

    private static func cancel(_ name: String, unsent: Int?) throws -> CampaignStep {
        let due = PlanScene.moment(3_600).instant
        let occurrence = try StoreFixtures.occurrence(name)
        return .cancel(CancelledSend(occurrence: occurrence, due: due, unsent: unsent))
    }

    private static func missed(_ count: Int) throws -> MissedSlots {
        let due = PlanScene.now.advanced(bySeconds: -3_600)
        return MissedSlots(
            occurrences: [
                MissedSlots.Slot(occurrence: try StoreFixtures.occurrence("daily"), due: due)
            ],
            count: count,
            first: due.advanced(bySeconds: -3_600),
            last: due,
            isFailure: count > 3,
            isSuperseded: count > 3
        )
    }

    private static func audiences() throws -> [String: PlannedAudience] {
        let topic = try #require(Topic("news"))
        return [
            "new": .list(name: "everyone", count: 2, people: nil),
            "resumed": .list(name: nil, count: 3, people: nil),
            "lapsed": .list(name: nil, count: 2, people: nil),
            "later": .topic(topic, reach: 12_000), "moved": .condition("'a' in topics"),
            "late": .list(name: "old\u{1B}.txt", count: nil, people: nil),
            "reworded": .topic(topic, reach: nil),
        ]
    }

    /// The templates of campaigns that have not started; the message of `resumed` has changed since
    /// then.
    private static func templates() throws -> [String: MessageTemplate] {
        func template(_ title: String) throws -> MessageTemplate {
            let scene = try PlanScene()
            let campaign = try scene.campaign(title: title)
            return DeliveryLowering(campaign).template
        }
        func keyed(_ title: String, _ name: String) throws -> MessageTemplate {
            try template(title).keyed(DeduplicationKey(of: StoreFixtures.occurrence(name)))
        }
        return [
            "resumed": try template("Other"), "later": try keyed("Later", "later"),
            "moved": try keyed("Moved", "moved"), "reworded": try template("Reworded"),
        ]
    }

    private static func list(_ scene: PlanScene) throws -> SendStepTarget {
        .list(
            ListContent(try scene.inline(0, 1)),
            ListID(text: "bb"),
            fingerprints: try scene.fingerprints(0, 1)
        )
    }

    static func send(_ name: String, to target: SendStepTarget) throws -> SendStep {
        let campaign = Campaign(
            id: try #require(CampaignID(name)),
            about: nil,
            owner: nil,
            target: .topic(try #require(Topic("unused"))),
            audience: nil,
            content: MessageContent(
                fields: ["notification": ["title": "Hello\u{7}", "body": "you"]]
            ),
            delivery: Delivery(
                timeToLive: TimeToLive(seconds: 90),
                priority: nil,
                collapse: nil
            ),
            schedule: .immediate
        )
        let occurrence = try StoreFixtures.occurrence(name)
        let key = DeduplicationKey(of: occurrence)
        return SendStep(
            occurrence: occurrence,
            due: PlanScene.now,
            target: target,
            template: DeliveryLowering(campaign).template.keyed(key),
            unit: nil,
            remaining: target.count ?? 1,
            policy: SendPolicy(repeats: .never, stopsAtUnknown: target.count == nil),
            deduplicationKey: key
        )
    }

    private static func change(_ path: String, _ before: String?, _ after: String) -> FieldChange {
        FieldChange(path: path, before: before.map(JSONValue.string), after: .string(after))
    }

    private static func notices() throws -> [PlanNotice] {
        let campaign = try #require(CampaignID("new"))
        let moment = ScheduledMoment(
            local: try #require(CivilDateTime(parsing: "2027-03-28 02:30")),
            zone: "Europe/Berlin",
            instant: try #require(Instant(rfc3339: "2027-03-28T01:30:00Z"))
        )
        return [
            .authorWins(campaign, field: "android.ttl"), .dataPriorityOnApple(campaign),
            .leavesOut(campaign, [.apple, .web]),
            .skippedLocalTime(campaign, moment, gapSeconds: 3_600),
            .doubledLocalTime(campaign, moment),
            .deadRegistrations(campaign, count: 8, of: 100),
            .optedOutRegistrations(campaign, count: 2, of: 100),
            .deadMembers(try StoreFixtures.scope("everyone", "news"), count: 3),
            .refusedMembers(try StoreFixtures.scope("everyone", "news"), count: 2),
            .externalMembers(try StoreFixtures.scope("everyone", "news"), count: 12),
            .optedOutMembers(try StoreFixtures.scope("everyone", "news"), count: 3),
            .leftUpstream(try StoreFixtures.scope("everyone", "news"), count: 1),
            .replies(campaign, count: 4),
            .openLeaves(try StoreFixtures.scope("everyone", "news"), count: 1),
            .removalIsDone(try StoreFixtures.scope("everyone", "news").audience),
            .settles(try StoreFixtures.occurrence("new"), seconds: 60),
            .waitsForFanOut(try StoreFixtures.occurrence("new"), seconds: 200),
            .fanOutOfUnknownReach(try StoreFixtures.occurrence("new")),
            .unknownOutcomes(try StoreFixtures.occurrence("new"), count: 1),
            .editedList(try StoreFixtures.occurrence("resumed"), try editedList()),
        ]
    }

    private static func editedList() throws -> EditedList {
        EditedList(
            stored: ListID(text: "aa"),
            current: ListID(text: "bb"),
            remaining: 1,
            removed: try PlanScene().fingerprints(2),
            added: 2
        )
    }
}
