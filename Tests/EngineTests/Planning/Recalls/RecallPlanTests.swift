import CampaignMessages
import CampaignModel
import JSON
import Planning
import State
import StoreConformance
import Testing
import Time

struct RecallPlanTests {
    private static let due = PlanScene.now

    private func record(
        _ name: String = "sale",
        fields: JSONObject = ["notification": ["title": "Wrong"]],
        counts: [Outcome: Int] = [.accepted: 3, .rejected: 1, .unknown: 2, .intended: 4],
        compacted: Instant? = nil,
        unit: Int64 = 5
    ) throws -> OccurrenceRecord {
        let id = try StoreFixtures.occurrence(name)
        let campaign = try PlanScene().campaign(name, fields: fields)
        let key = DeduplicationKey(of: id)
        let tally = StoreFixtures.tally(counts)
        return OccurrenceRecord(
            id: id,
            status: .dispatching,
            due: Self.due,
            message: DeliveryLowering(campaign).template.keyed(key).stored,
            unit: WorkUnitRecord(
                id: UnitID(number: unit),
                target: .registrations(ListID(text: "list")),
                count: tally.total,
                released: tally.total - tally[.intended],
                tally: tally,
                compacted: compacted
            ),
            deduplicationKey: key.text
        )
    }

    private func refusal(
        of sent: OccurrenceRecord,
        among others: [OccurrenceRecord] = [],
        after seconds: Int64 = 60
    ) throws -> RecallRefusal? {
        do throws(RecallRefusal) {
            _ = try RecallPlan(
                sent,
                saying: .standard,
                among: others,
                at: sent.due.advanced(bySeconds: seconds)
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func `addresses accepted and unknown requests, and cancels the rest`() throws {
        let sent = try record()
        let plan = try RecallPlan(sent, saying: .standard, among: [sent], at: sent.due)
        #expect(plan.reached == 5)
        #expect(plan.unsent == 4)
        #expect(plan.effect.replaced == Platform.allCases)
        #expect(plan.end == sent.due.advanced(bySeconds: 2_419_200))
    }

    @Test func `refuses what showed nothing`() throws {
        #expect(try refusal(of: record(fields: ["data": ["k": "v"]])) == .showsNothing)
        #expect(try refusal(of: record(counts: [.rejected: 3])) == .nothingAccepted)
        #expect(try refusal(of: record(compacted: Self.due)) == .compacted)
        let sent = try record()
        let waiting = OccurrenceRecord(
            id: sent.id,
            status: .scheduled,
            due: sent.due,
            message: nil,
            unit: nil
        )
        #expect(try refusal(of: waiting) == .notBegun)
    }

    @Test func `refuses a message that has expired, exactly at its end`() throws {
        let sent = try record(
            fields: ["android": ["ttl": "60s", "notification": ["title": "Wrong"]]]
        )
        #expect(try refusal(of: sent, after: 59) == nil)
        #expect(try refusal(of: sent, after: 60) == .expired(sent.due.advanced(bySeconds: 60)))
    }

    @Test func `refuses a second recall, and the recall of one`() throws {
        let sent = try record()
        let recall = OccurrenceRecord(
            id: sent.id.recall,
            status: .scheduled,
            due: sent.due,
            message: sent.message,
            unit: nil,
            recall: RecallAuthor(user: "ada", host: "desk")
        )
        #expect(try refusal(of: sent, among: [sent, recall]) == .alreadyRequested(recall))
        #expect(try refusal(of: recall) == .isRecall)
    }

    @Test func `refuses a notification that a later one with the same key has replaced`() throws {
        let shared: JSONObject = ["android": ["notification": ["title": "A", "tag": "offers"]]]
        let sent = try record(fields: shared)
        let later = try record("other", fields: shared, unit: 6)
        let earlier = try record("other", fields: shared, unit: 4)
        let key = ReplacementKey("offers", on: .android)
        #expect(RecallPlan.hasAuthorsKey(sent))
        #expect(
            try refusal(of: sent, among: [sent, later]) == .replaced(by: later.id, under: key)
        )
        #expect(try refusal(of: sent, among: [sent, earlier]) == nil)
        #expect(try !RecallPlan.hasAuthorsKey(record()))
    }
}
