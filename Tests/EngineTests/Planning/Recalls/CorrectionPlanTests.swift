import Applying
import CampaignMessages
import CampaignModel
import JSON
import Planning
import State
import StoreConformance
import Testing
import Time

@Suite(.timeLimit(.minutes(5)))
struct CorrectionPlanTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func list() throws -> Campaign {
        try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
    }

    private func steps(_ plan: Plan, of name: String = "fix") throws -> [CampaignStep] {
        let id = try #require(CampaignID(name))
        return plan.campaigns.filter { $0.campaign == id }.map(\.step)
    }

    private func reason(_ plan: Plan) throws -> NothingToCorrect.Reason? {
        guard case .uncorrectable(let nothing)? = try steps(plan).first else { return nil }
        return nothing.reason
    }

    @Test func `addresses accepted and unknown requests, and ends the send in progress`()
        async throws
    {
        let sale = try list()
        try await scene.record([.accepted, .rejected, .unknown], of: scene.begin(sale))
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        let correction = try #require(plan.corrections.first)
        #expect(plan.corrections.count == 1)
        #expect(correction.occurrence == (try scene.id("sale")))
        #expect(correction.count == 2)
        #expect(correction.recall.unsent == 2)
        #expect(try steps(plan, of: "sale") == [.unchanged])
        #expect(plan.sends.isEmpty)
        #expect(plan.hasChanges)
        var requests: [PlannedRequests] = []
        plan.forEachRequest(project: "shop") { requests.append($0) }
        #expect(requests.map(\.registrations) == [try scene.fingerprints(0, 2)])
        let tag = requests.first?.body["message"]?["android"]?["notification"]?["tag"]
        #expect(tag?.stringValue == DeduplicationKey(of: try scene.id("sale")).text)
    }

    @Test func `the plan has the description, and counts the requests in its estimate`()
        async throws
    {
        let sale = try list()
        let outcomes = [Outcome](repeating: .accepted, count: 5)
        try await scene.record(outcomes, of: scene.begin(sale))
        try await scene.store.close(scene.id("sale"), as: .finished)
        let pace = Pace(sendsPerMinute: 60, subscriptionsPerSecond: 1_000, fanOuts: 1)
        let correction = Correction(
            id: try #require(CampaignID("fix")),
            about: "The pier is open",
            corrected: try #require(CorrectedSend("sale")),
            message: .notification(title: nil, body: "It was wrong")
        )
        let plan = try await scene.plan([sale], corrections: [correction], pace: pace)
        #expect(plan.campaigns.last?.about == "The pier is open")
        #expect(Forecast(plan.actions).length >= .seconds(3))
        let handedOver = try await scene.plan(
            [sale],
            corrections: [correction],
            pace: pace,
            sends: .run
        )
        #expect(Forecast(handedOver.actions).length == .zero)
    }

    @Test func `skips registrations that have died since then`() async throws {
        let sale = try list()
        let outcomes = [Outcome](repeating: .accepted, count: 5)
        try await scene.record(outcomes, of: scene.begin(sale))
        try await scene.store.markDead(scene.fingerprints(1), at: PlanScene.now)
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(plan.corrections.first?.count == 4)
    }

    @Test func `the digest has the text and the occurrence, and not the counts`() async throws {
        let sale = try list()
        let unit = try await scene.begin(sale)
        try await scene.record([.accepted], of: unit)
        let first = try await scene.plan([sale], corrections: [scene.correction()])
        try await scene.record([.accepted, .accepted], of: unit)
        let more = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(first.digest.hash == more.digest.hash)
        let other = try await scene.plan([sale], corrections: [scene.correction(saying: "No")])
        #expect(first.digest.hash != other.digest.hash)
        let part = first.reviewed.campaigns[try #require(CampaignID("fix"))]
        #expect(part?["corrects"] == ["sale/once/1"])
        #expect(part?["definition"]?["message"]?["notification"]?["body"] == "It was wrong")
    }

    @Test func `there is nothing to correct in what was not sent`() async throws {
        let sale = try scene.campaign()
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(try reason(plan) == .notSent)
        // The apply records the correction, so that what it sends is not taken back.
        #expect(await scene.apply(plan, to: ScriptedTransport()).error == nil)
        let later = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(!later.hasChanges)
        #expect(try steps(later) == [.unchanged])
        let edited = try await scene.plan([sale], corrections: [scene.correction(saying: "No")])
        #expect(edited.corrections.count == 1)
    }

    @Test func `an expired message, a data message and a recalled one are named`() async throws {
        let sale = try scene.campaign()
        try await scene.record([.accepted], of: scene.begin(sale))
        let end = PlanScene.now.advanced(bySeconds: 3_000_000)
        let late = try await scene.plan([sale], corrections: [scene.correction()], at: end)
        guard case .refused(.expired)? = try reason(late) else {
            Issue.record("\(try steps(late))")
            return
        }
        try await scene.remember(late)
        let after = try await scene.plan([sale], corrections: [scene.correction()], at: end)
        #expect(try steps(after) == [.unchanged], "the plan does not fail forever")
        let data = try scene.campaign("ping", fields: ["data": ["a": "b"]])
        try await scene.record([.accepted], of: scene.begin(data))
        let ping = try await scene.plan([data], corrections: [scene.correction(of: "ping")])
        #expect(try reason(ping) == .refused(.showsNothing))
    }

    @Test func `a recalled occurrence is not corrected, and a rejected one neither`() async throws {
        let sale = try scene.campaign()
        try await scene.record([.accepted], of: scene.begin(sale))
        let sent = try #require(try await scene.store.occurrence(scene.id("sale")))
        let recall = try RecallPlan(sent, saying: .standard, among: [], at: PlanScene.now)
        let requested = RequestedRecall(
            sent.id,
            message: recall.template.stored,
            worker: StoreFixtures.worker
        )
        #expect(try await scene.store.request(requested))
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        guard case .refused(.alreadyRequested)? = try reason(plan) else {
            Issue.record("\(try steps(plan))")
            return
        }
        let other = try scene.campaign("other")
        try await scene.record([.rejected], of: scene.begin(other))
        let none = try await scene.plan([other], corrections: [scene.correction(of: "other")])
        #expect(try reason(none) == .refused(.nothingAccepted))
    }

    @Test func `a request of an interrupted apply belongs to the same plan`() async throws {
        let sale = try scene.campaign()
        try await scene.record([.accepted], of: scene.begin(sale))
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        let correction = try #require(plan.corrections.first)
        let requested = RequestedRecall(
            correction.occurrence,
            message: correction.recall.template.stored,
            worker: StoreFixtures.worker
        )
        #expect(try await scene.store.request(requested))
        let again = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(again.corrections.count == 1)
        #expect(again.digest.hash == plan.digest.hash)
    }

    @Test func `the limit of recipients of the environment applies`() async throws {
        let sale = try list()
        let outcomes = [Outcome](repeating: .accepted, count: 5)
        try await scene.record(outcomes, of: scene.begin(sale))
        let limits = Guards(
            maximumRecipients: 4,
            maximumChange: nil,
            quietHours: nil,
            cap: nil,
            requiresReviewedPlan: false,
            maximumSends: nil,
            allowsTest: false
        )
        let guards = GuardBasis(limits: limits)
        let plan = try await scene.plan([sale], corrections: [scene.correction()], guards: guards)
        let refusal = try #require(plan.refusals.first)
        #expect(refusal.guard == .maxRecipients)
        #expect(refusal.subject == .campaign(try #require(CampaignID("fix"))))
    }

    @Test func `a selection without the correction leaves it out`() async throws {
        let sale = try scene.campaign()
        try await scene.record([.accepted], of: scene.begin(sale))
        let only = Selection.Part(campaigns: [try #require(CampaignID("sale"))])
        let plan = try await scene.plan(
            [sale],
            corrections: [scene.correction()],
            selection: Selection(only: only, except: Selection.Part())
        )
        #expect(plan.corrections.isEmpty)
        #expect(plan.leftOut == 1)
    }

    @Test func `a removed correction is retired, and leaves the message as it is`() async throws {
        let sale = try scene.campaign()
        try await scene.record([.accepted], of: scene.begin(sale))
        try await scene.remember(
            try await scene.plan(corrections: [scene.correction(of: "nothing")])
        )
        let plan = try await scene.plan([sale])
        #expect(try steps(plan) == [.retire])
    }

    @Test func `a name that sent messages before is freed first`() async throws {
        let fix = try scene.campaign("fix", schedule: .at(PlanScene.moment(600)))
        try await scene.remember(try await scene.plan([fix]))
        let sale = try scene.campaign()
        try await scene.record([.accepted], of: scene.begin(sale))
        let plan = try await scene.plan([sale], corrections: [scene.correction()])
        #expect(plan.corrections.isEmpty)
        guard case .cancel? = try steps(plan).first else {
            Issue.record("\(try steps(plan))")
            return
        }
    }
}
