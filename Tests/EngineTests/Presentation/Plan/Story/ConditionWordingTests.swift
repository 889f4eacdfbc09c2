import CampaignModel
import TestSupport
import Testing

@testable import Planning
@testable import Presentation

struct ConditionWordsTests {
    @Test(arguments: [
        ("'a' in topics", "all devices in topic a"),
        ("'a' in topics || 'b' in topics", "all devices in topic a or b"),
        ("'a' in topics && 'b' in topics", "all devices in topic a that are also in b"),
        (
            "'a' in topics && ('b' in topics || 'c' in topics)",
            "all devices in topic a that are also in b or c"
        ),
        (
            "('a' in topics || 'b' in topics) && ('c' in topics || 'd' in topics)",
            "all devices in topic a or b that are also in c or d"
        ),
        ("'a' in topics && !('b' in topics)", "all devices in topic a that are not in b"),
        (
            "'a' in topics && 'b' in topics && !('c' in topics || 'd' in topics)",
            "all devices in topic a that are also in b and not in c or d"
        ),
        (
            "('a' in topics && 'b' in topics) || 'c' in topics",
            "all devices that are in a and b, or in c"
        ),
        ("!('a' in topics)", "all devices that are not in topic a"),
        ("!('a' in topics) && !('b' in topics)", "all devices that are not in a or b"),
        ("'a' in topics || !('b' in topics)", "all devices that are in a, or not in b"),
    ])
    func `describes a condition`(_ text: String, _ words: String) throws {
        #expect(ConditionWording(try Condition(parsing: text)).text == words)
    }

    @Test func `an estimate shows its calculation`() throws {
        let kept = PlannedTopic.Kept(audience: try #require(AudienceID("all")), count: 12)
        let topics: [(String, PlannedTopic)] = [
            ("a", PlannedTopic(reach: 40_000)), ("b", PlannedTopic(reach: 9_000)),
            ("c", PlannedTopic(reach: 5, kept: [kept])), ("d", PlannedTopic(reach: nil)),
            ("e", PlannedTopic(reach: nil, kept: [kept, kept])),
        ]
        let reach = ReachWording(
            topics: Dictionary(
                uniqueKeysWithValues: try topics.map { (try #require(Topic($0.0)), $0.1) }
            )
        )
        func words(_ text: String) throws -> String {
            reach.sentences(about: try Condition(parsing: text)).joined(separator: " ")
        }
        #expect(
            try words("'a' in topics && ('b' in topics || 'c' in topics)")
                == "At most 9,012 devices, by the reach that herald.yaml declares and by managed "
                + "lists: the smallest of a 40,000 and b 9,000 + c 12. The devices of topic c "
                + "include the 12 registrations of audience all, which Herald keeps subscribed."
        )
        #expect(
            try words("'a' in topics || 'd' in topics")
                == "The reach is unknown: a 40,000 + d (not declared)."
        )
        #expect(
            try words("'a' in topics && 'd' in topics")
                == "At most 40,000 devices, by the reach that herald.yaml declares: the smallest "
                + "of a 40,000 and d (not declared)."
        )
        let unknown = try words("'a' in topics || 'e' in topics")
        #expect(
            unknown.hasPrefix(
                "The reach is unknown: a 40,000 + e (at least 12, reach not declared)."
            )
        )
    }

    @Test(
        arguments: [
            (
                nil, [],
                "The number of devices is unknown; herald.yaml declares no reach for topic beta.",
                nil
            ),
            (40, [], "40 devices, as declared for topic beta in herald.yaml.", 40),
            (71, [71, 5], "71 devices, as declared for topic beta in herald.yaml.", 71),
            (
                70, [5, 71],
                "At least 71 devices: the managed lists exceed the reach declared in herald.yaml.",
                71
            ),
            (
                nil, [5, 71],
                "At least 71 devices; herald.yaml declares no reach for topic beta.", nil
            ),
        ] as [(Int?, [Int], String, Int?)]
    )
    func `a topic has the same size as in guards`(
        reach: Int?,
        lists: [Int],
        words: String,
        size: Int?
    ) throws {
        let (topic, audience) = (try #require(Topic("beta")), try #require(AudienceID("all")))
        let kept = lists.map { PlannedTopic.Kept(audience: audience, count: $0) }
        let planned = PlannedTopic(reach: reach, kept: kept)
        let reach = ReachWording(topics: [topic: planned])
        let managed = lists.map { count in
            "These devices include the \(count) registrations of audience all, which Herald keeps "
                + "subscribed."
        }
        #expect(reach.sentences(about: topic) == [words] + managed)
        #expect(reach.size(of: topic) == size)
        #expect(planned.size == size)
    }
}
