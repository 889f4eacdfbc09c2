import CampaignModel
import Testing

@testable import Planning
@testable import Presentation

struct ObjectiveWordingTests {
    private func sentences(
        delay: Duration = .zero,
        isFanOut: Bool = false,
        list: Duration?,
        topic: Duration?,
        need: PlannedObjective.Need? = nil
    ) throws -> [String] {
        ObjectiveWording(
            PlannedObjective(
                campaign: try #require(CampaignID("sale")),
                objective: try #require(Objective("90% in 2m")),
                recipients: list == nil ? nil : 1_000,
                isFanOut: isFanOut,
                delay: delay,
                predicted: (isFanOut ? topic : list).map { delay + $0 },
                asList: list,
                asTopic: topic,
                need: need
            ),
            pace: .standard
        ).sentences
    }

    @Test func `a reachable objective names the predicted time, rounded up`() throws {
        #expect(
            try sentences(list: .milliseconds(107_100), topic: .milliseconds(90_100)) == [
                "Objective 90% in 2 min: reachable, predicted after about 1 min 48 s.",
                "For this audience, a topic is faster: about 1 min 31 s, and a list about "
                    + "1 min 48 s.",
            ]
        )
        #expect(
            try sentences(isFanOut: true, list: .milliseconds(100), topic: .milliseconds(900)) == [
                "Objective 90% in 2 min: reachable, predicted after about 1 s.",
                "For this audience, a topic and a list take the same time: about 1 s.",
            ]
        )
    }

    @Test func `an unreachable list names the settings that it needs`() throws {
        func need(_ sends: Int?, _ unknown: Int?) throws -> String {
            try sentences(
                list: .seconds(209),
                topic: .seconds(300),
                need: .settings(sendsPerMinute: sends, maximumUnknown: unknown)
            )[1]
        }
        #expect(
            try need(1_200_000, 14_000)
                == "It needs a sends_per_minute of 1,200,000 in pace and a max_unknown of 14,000; "
                + "FCM's quota is 600,000 unless it was raised."
        )
        #expect(try need(600_000, nil) == "It needs a sends_per_minute of 600,000 in pace.")
        #expect(try need(nil, 1_100) == "It needs a max_unknown of 1,100.")
        #expect(
            try need(nil, nil)
                == "No allowed pace is enough. Allow more time, or address fewer registrations."
        )
    }

    @Test func `an unreachable topic names the rate that it needs`() throws {
        #expect(
            try sentences(
                isFanOut: true,
                list: .seconds(30),
                topic: .milliseconds(270_100),
                need: .fanOutRate(22_519)
            ) == [
                "Objective 90% in 2 min: not reachable, predicted after about 4 min 31 s.",
                "It needs a fan-out of 22,519 devices per second, but FCM's is about 10,000.",
                "For this audience, a list is faster: about 30 s, and a topic about 4 min 31 s.",
            ]
        )
    }

    @Test func `a late send names its delay`() throws {
        let sentences = try sentences(
            delay: .seconds(150),
            list: .seconds(1),
            topic: .seconds(2),
            need: .earlierStart
        )
        #expect(
            sentences[1]
                == "Its first request leaves about 2 min 30 s after the due time: send it earlier, "
                + "or allow more time."
        )
    }

    @Test func `an answer that takes too long needs more time`() throws {
        let sentences = try sentences(
            list: .milliseconds(121_500),
            topic: .seconds(122),
            need: .moreTime(roundTrip: .milliseconds(120_400))
        )
        #expect(sentences[1] == "An answer took 120,400 ms: allow more time.")
    }

    @Test func `unknown recipients name the reason`() throws {
        #expect(
            try sentences(isFanOut: true, list: nil, topic: nil)
                == ["Objective 90% in 2 min: not predictable, because the reach is unknown."]
        )
        #expect(
            try sentences(list: nil, topic: nil) == [
                "Objective 90% in 2 min: not predictable, because the size of the list is known only "
                    + "when the send begins."
            ]
        )
    }
}
