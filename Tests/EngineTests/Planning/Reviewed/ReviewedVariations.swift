import CampaignModel
import JSON
import Testing
import Time

/// One campaign with a list, and variations that differ in one field each.
struct ReviewedVariations {
    private let scene: PlanScene

    init(_ scene: PlanScene) throws {
        self.scene = scene
    }

    func campaign(
        _ name: String = "sale",
        about: String? = nil,
        owner: String? = nil,
        to target: AudienceTarget? = nil,
        audience: String? = nil,
        fields: JSONObject = ["notification": ["title": "Hello"]],
        delivery: Delivery = .unspecified,
        schedule: Schedule = .immediate,
        timeliness: LatePolicy = .standard,
        revision: Int = 1,
        formerly: String? = nil,
        policy: SendingPolicy = .unspecified
    ) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID(name)),
            about: about,
            owner: owner,
            target: try target ?? .registrations(scene.inline(0, 1)),
            audience: audience.flatMap { AudienceID($0) },
            content: MessageContent(fields: fields),
            delivery: delivery,
            schedule: schedule,
            timeliness: timeliness,
            revision: revision,
            formerID: formerly.flatMap { CampaignID($0) },
            policy: policy
        )
    }

    var all: [(name: String, campaign: Campaign)] {
        get throws { try whom + what + when + how }
    }

    private var whom: [(name: String, campaign: Campaign)] {
        get throws {
            [
                ("name", try campaign("other")),
                ("topic", try campaign(to: .topic(scene.topic()))),
                ("other topic", try campaign(to: .topic(scene.topic("sport")))),
                (
                    "condition",
                    try campaign(to: .condition(Condition(parsing: "'news' in topics")))
                ),
                ("group", try campaign(to: .group(#require(DeviceGroupName("crew"))))),
                ("one more", try campaign(to: .registrations(scene.inline(0, 1, 2)))),
                ("somebody else", try campaign(to: .registrations(scene.inline(0, 2)))),
                ("another order", try campaign(to: .registrations(scene.inline(1, 0)))),
                ("audience", try campaign(audience: "all")),
            ]
        }
    }

    private var what: [(name: String, campaign: Campaign)] {
        get throws {
            let live: JSONObject = ["notification": ["title": "Hello"]]
            func token(_ text: String) throws -> Campaign {
                var fields = live
                fields["apns"] = ["live_activity_token": .string(text)]
                return try campaign(fields: fields)
            }
            return [
                ("title", try campaign(fields: ["notification": ["title": "Bye"]])),
                (
                    "data",
                    try campaign(fields: ["notification": ["title": "Hello"], "data": ["a": "b"]])
                ),
                ("Live Activity", try token("one")), ("another Live Activity", try token("two")),
                ("ttl", try campaign(delivery: delivery(timeToLive: 60))),
                ("other ttl", try campaign(delivery: delivery(timeToLive: 61))),
                ("expires", try campaign(delivery: delivery(expires: PlanScene.moment(600)))),
                ("other expires", try campaign(delivery: delivery(expires: PlanScene.moment(660)))),
                ("priority", try campaign(delivery: delivery(priority: .high))),
                ("collapse", try campaign(delivery: delivery(collapse: "tide"))),
            ]
        }
    }

    private func delivery(
        timeToLive: Int64? = nil,
        expires: ScheduledMoment? = nil,
        priority: Delivery.Priority? = nil,
        collapse: String? = nil
    ) -> Delivery {
        Delivery(
            timeToLive: timeToLive.flatMap { TimeToLive(seconds: $0) },
            expires: expires,
            priority: priority,
            collapse: collapse.flatMap { CollapseKey($0) }
        )
    }

    private var when: [(name: String, campaign: Campaign)] {
        get throws {
            func timely(
                _ late: LatePolicy.Late? = nil,
                after: Int64 = 600,
                until: Instant? = nil,
                reason: String? = nil,
                jitter: Int64 = 0
            ) throws -> Campaign {
                let timeliness = LatePolicy(
                    late: late,
                    lateAfter: after,
                    until: until,
                    reasonInQuietHours: reason,
                    jitter: jitter
                )
                return try campaign(
                    schedule: .at(PlanScene.moment(3_600)),
                    timeliness: timeliness
                )
            }
            return [
                ("at", try timely()),
                ("other at", try campaign(schedule: .at(PlanScene.moment(3_660)))),
                ("late", try timely(.send)), ("late_after", try timely(after: 60)),
                ("during_quiet_hours", try timely(reason: "Boats sink.")),
                ("other reason", try timely(reason: "Boats leak.")),
                ("jitter", try timely(jitter: 60)),
                ("until", try timely(until: PlanScene.now.advanced(bySeconds: 7_200))),
                ("rule", try scene.rule("0 9 * * *")),
                ("other rule", try scene.rule("0 10 * * *")),
                ("from", try scene.rule("0 9 * * *", from: "2027-02-01 00:00")),
                ("revision", try campaign(revision: 2)),
            ]
        }
    }

    private var how: [(name: String, campaign: Campaign)] {
        get throws {
            func policy(
                _ onUnknown: SendingPolicy.OnUnknown? = nil,
                dead: String? = nil,
                record: SendingPolicy.Record = .counts,
                reasonAboveCap: String? = nil
            ) throws -> Campaign {
                let known = dead.map {
                    Acknowledgement(reach: nil, dead: Percentage($0), reason: "known")
                }
                return try campaign(
                    policy: SendingPolicy(
                        onUnknown: onUnknown,
                        rollout: nil,
                        acknowledgement: known,
                        holdOut: nil,
                        record: record,
                        reasonAboveCap: reasonAboveCap
                    )
                )
            }
            return [
                ("on_unknown", try policy(.skip)), ("other on_unknown", try policy(.retry)),
                ("dead", try policy(dead: "40%")), ("more dead", try policy(dead: "41%")),
                ("record", try policy(record: .ids)),
                ("cap", try policy(reasonAboveCap: "Boats sink.")),
                ("other reason of cap", try policy(reasonAboveCap: "Boats leak.")),
            ]
        }
    }
}
