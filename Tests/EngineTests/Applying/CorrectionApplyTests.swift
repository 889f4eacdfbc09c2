import CampaignMessages
import CampaignModel
import JSON
import Planning
import RunControl
import State
import StoreConformance
import Testing
import Time

@testable import Applying

@Suite(.timeLimit(.minutes(5)))
struct CorrectionApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func sent() async throws -> Campaign {
        let sale = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
        try await scene.record([.accepted, .rejected, .unknown, .accepted], of: scene.begin(sale))
        return sale
    }

    private func recall() async throws -> OccurrenceRecord? {
        try await scene.store.occurrence(try scene.id("sale").recall)
    }

    @Test func `sends the new text to those who may have the message, once`() async throws {
        let sale = try await sent()
        let transport = ScriptedTransport()
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens([0, 2, 3]))
        let texts = transport.seen.map {
            $0.body["message"]?["android"]?["notification"]?["body"]?.stringValue
        }
        #expect(texts == Array(repeating: "It was wrong", count: 3))
        let record = try #require(try await recall())
        #expect(record.status == .finished)
        #expect(record.unit?.tally == StoreFixtures.tally([.accepted: 3, .suppressed: 2]))
        let original = try #require(try await scene.store.occurrence(try scene.id("sale")))
        #expect(original.status == .cancelled)
        let after = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(!after.hasChanges)
        let again = ScriptedTransport()
        _ = await scene.apply(after, to: again)
        #expect(again.seen.isEmpty)
    }

    @Test func `another text that was requested after the plan ends the apply`() async throws {
        let sale = try await sent()
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        let id = try scene.id("sale")
        let sent = try #require(try await scene.store.occurrence(id))
        let recall = try RecallPlan(sent, saying: .standard, among: [], at: PlanScene.now)
        let other = RequestedRecall(
            id,
            message: recall.template.stored,
            worker: StoreFixtures.worker
        )
        #expect(try await scene.store.request(other))
        let transport = ScriptedTransport()
        #expect(await scene.apply(plan, to: transport).error == .recalled(id))
        #expect(transport.seen.isEmpty)
        #expect(try await self.recall()?.message == other.message)
    }

    @Test func `with a service, the apply only stores the correction`() async throws {
        let sale = try await sent()
        let transport = ScriptedTransport()
        let plan = try await scene.plan([sale], corrections: [scene.correction()], sends: .run)
        #expect(plan.corrections.map(\.isHandedOver) == [true])
        #expect(await scene.apply(plan, to: transport).error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try await recall()?.status == .scheduled)
    }

    @Test func `a list that the state has dropped is stored again`() async throws {
        let list = try scene.file(0..<3)
        let sale = try scene.campaign(to: .registrations(list))
        let transport = ScriptedTransport()
        #expect(await scene.apply(try await scene.plan([sale]), to: transport).error == nil)
        #expect(transport.seen.count == 3)
        let unit = try #require(try await scene.store.occurrence(try scene.id("sale"))?.unit)
        guard case .registrations(let id) = unit.target else { return }
        #expect(try await !scene.store.hasList(id))
        let second = ScriptedTransport()
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(await scene.apply(plan, to: second).error == nil)
        #expect(second.seen.compactMap(\.token).sorted() == scene.tokens([0, 1, 2]))
    }

    @Test func `a list that was dropped and has changed since then is not corrected`() async throws
    {
        let sale = try scene.campaign(to: .registrations(try scene.file(0..<3)))
        let transport = ScriptedTransport()
        #expect(await scene.apply(try await scene.plan([sale]), to: transport).error == nil)
        let changed = try scene.campaign(to: .registrations(try scene.file(0..<4)))
        let plan = try await scene.plan([changed], corrections: [scene.correction()])
        guard case .uncorrectable(let nothing)? = plan.campaigns.last?.step else {
            Issue.record("\(plan.campaigns.map(\.step))")
            return
        }
        #expect(nothing.reason == .lostList)
    }
}
