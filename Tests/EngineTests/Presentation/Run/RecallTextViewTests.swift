import CampaignMessages
import CampaignModel
import JSON
import Planning
import Presentation
import State
import StoreConformance
import Testing
import Time

struct RecallTextViewTests {
    private let view = RecallTextView(
        style: .plain,
        now: PlanScene.now.advanced(bySeconds: 60)
    )

    private func plan(
        to target: UnitTarget = .registrations(ListID(text: "list")),
        fields: JSONObject = ["notification": ["title": "Wrong"]],
        saying message: RecallMessage = .standard,
        counts: [Outcome: Int] = [.accepted: 3, .unknown: 2, .intended: 4]
    ) throws -> RecallPlan {
        let id = try StoreFixtures.occurrence("sale")
        let campaign = try PlanScene().campaign("sale", fields: fields)
        let key = DeduplicationKey(of: id)
        let tally = StoreFixtures.tally(counts)
        let sent = OccurrenceRecord(
            id: id,
            status: .dispatching,
            due: PlanScene.now,
            message: DeliveryLowering(campaign).template.keyed(key).stored,
            unit: WorkUnitRecord(
                id: UnitID(number: 1),
                target: target,
                count: tally.total,
                released: tally.total - tally[.intended],
                tally: tally
            ),
            deduplicationKey: key.text
        )
        return try RecallPlan(sent, saying: message, among: [], at: PlanScene.now)
    }

    @Test func `a list: who gets it, what is cancelled, and what each platform does`() throws {
        let text = view.render(try plan()).replacing("\n", with: " ")
        #expect(text.contains("Recall of sale/once/1, sent to 9 registrations"))
        #expect(text.contains("5 registrations (3 accepted, 2 unknown)"))
        #expect(text.contains("4 requests not sent yet: cancelled"))
        #expect(text.contains("“Please ignore the previous message”"))
        for name in ["Android", "Apple", "web"] { #expect(text.contains("\(name): ")) }
    }

    @Test func `a topic reaches other devices`() throws {
        let topic = UnitTarget.topic(try #require(Topic("news")))
        let text = view.render(try plan(to: topic, counts: [.accepted: 1]))
        #expect(text.contains("one message to the topic news"))
        #expect(text.contains("subscribed now"))
        #expect(!text.contains("cancelled"))
    }

    @Test func `a silent recall names its limits`() throws {
        let text = view.render(try plan(saying: .silent))
        #expect(text.contains("APNs may delay or drop background pushes"))
        #expect(text.contains("a waiting one may still appear"))
    }

    @Test func `platforms without a notification are not named`() throws {
        let android: JSONObject = ["android": ["notification": ["title": "Wrong"]]]
        let text = view.render(try plan(fields: android))
        #expect(text.contains("Android: "))
        #expect(!text.contains("Apple: "))
    }
}
