import CampaignModel
import FCMWire
import JSON
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Tests the comparison of a current plan with a reviewed one.
struct PlanExpectationTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private static let other = String(repeating: "0", count: 40)
    private static let empty = String(repeating: "e", count: 40)

    private func run(
        _ number: Int64,
        _ digest: String?,
        _ status: RunStatus = .complete
    ) -> RunRecord {
        var worker = StoreFixtures.worker
        worker.digest = digest
        return RunRecord(
            id: RunID(number: number),
            worker: worker,
            status: status,
            ended: nil,
            tally: OutcomeTally(),
            cause: nil,
            serial: StateSerial(number: number)
        )
    }

    private func verdict(
        _ now: Plan,
        expecting reviewed: Plan,
        isKnown: Bool = true,
        after runs: [RunRecord] = []
    ) async -> PlanVerdict {
        let expectation = PlanExpectation(
            reviewed.digest,
            reviewed: isKnown ? reviewed.reviewed : nil,
            kept: nil
        )
        return await expectation.verdict(on: now, after: runs) { $0 == Self.empty }
    }

    private func stale(_ verdict: PlanVerdict) throws -> StalePlan {
        guard case .stale(let plan) = verdict else { throw Unexpected(verdict: verdict) }
        return plan
    }

    private struct Unexpected: Error { let verdict: PlanVerdict }

    private func two() throws -> [Campaign] {
        [try scene.campaign("one"), try scene.campaign("two")]
    }

    @Test func `the same plan is applied, regardless of other runs`() async throws {
        let plan = try await scene.plan(try two())
        let runs = [run(2, Self.other), run(1, plan.digest.hash)]
        #expect(await verdict(plan, expecting: plan, after: runs) == .same)
    }

    @Test func `another plan is stale, with its differences if they are known`() async throws {
        let (first, second) = (try scene.campaign("one"), try scene.campaign("two"))
        let reviewed = try await scene.plan([first])
        let now = try await scene.plan([second])
        let found = try stale(await verdict(now, expecting: reviewed))
        #expect(found.digest == reviewed.digest && found.now == now.digest && found.runs.isEmpty)
        guard case .campaign(first.id, .gone)? = found.differences?.first,
            case .campaign(second.id, .new)? = found.differences?.last
        else { throw Unexpected(verdict: .stale(found)) }
        let unknown = try stale(await verdict(now, expecting: reviewed, isKnown: false))
        #expect(unknown.differences == nil)
    }

    @Test func `a plan for another target differs only in the target`() async throws {
        let reviewed = try await scene.plan(try two(), environment: "live")
        let found = try stale(await verdict(try await scene.plan(), expecting: reviewed))
        #expect(found.differences == [.head(.environment, before: "live", after: "dev")])
    }

    @Test func `only a complete run after the plan means that it was applied`()
        async throws
    {
        let reviewed = try await scene.plan(try two())
        let now = try await scene.plan([try scene.campaign("three")])
        let done = run(1, reviewed.digest.hash)
        #expect(
            await verdict(now, expecting: reviewed, after: [run(2, Self.other), done])
                == .alreadyApplied(done)
        )
        let early = run(0, reviewed.digest.hash)
        _ = try stale(await verdict(now, expecting: reviewed, after: [early]))
        #expect(
            await verdict(now, expecting: reviewed, isKnown: false, after: [done])
                == .alreadyApplied(done)
        )
    }

    @Test(arguments: [RunStatus.abandoned, .running, .stopped, .interrupted])
    func `continues the rest of an unfinished run`(_ status: RunStatus) async throws {
        let campaigns = try two()
        let reviewed = try await scene.plan(campaigns)
        try await scene.remember(try await scene.plan([campaigns[0]]))
        _ = try await scene.begin(campaigns[0])
        let now = try await scene.plan(campaigns)
        let cut = run(1, reviewed.digest.hash, status)
        #expect(await verdict(now, expecting: reviewed, after: [cut]) == .goesOn)
        #expect(
            await verdict(now, expecting: reviewed, after: [run(2, nil), run(2, Self.empty), cut])
                == .goesOn
        )
        let meanwhile = run(2, Self.other)
        let found = try stale(await verdict(now, expecting: reviewed, after: [meanwhile, cut]))
        #expect(found.runs == [meanwhile])
        let changed = try await scene.plan([campaigns[0], try scene.campaign("two", title: "Bye")])
        _ = try stale(await verdict(changed, expecting: reviewed, after: [cut]))
        let more = try await scene.plan(campaigns + [try scene.campaign("three")])
        _ = try stale(await verdict(more, expecting: reviewed, after: [cut]))
    }

    @Test func `applies nothing if an unfinished run left nothing`() async throws {
        let campaign = try scene.campaign()
        let reviewed = try await scene.plan([campaign])
        _ = try await scene.begin(campaign)
        try await scene.store.close(try scene.id("sale"), as: .finished)
        let cut = run(1, reviewed.digest.hash, .abandoned)
        #expect(
            await verdict(try await scene.plan([campaign]), expecting: reviewed, after: [cut])
                == .alreadyApplied(cut)
        )
    }

    @Test func `a rest has fewer members, never more, and the same list`() async throws {
        let all = try scene.audience(scene.inline(0, 1, 2))
        let reviewed = try await scene.plan(audiences: [all])
        let cut = run(1, reviewed.digest.hash, .abandoned)
        try await scene.join(0)
        let now = try await scene.plan(audiences: [all])
        #expect(await verdict(now, expecting: reviewed, after: [cut]) == .goesOn)
        // A complete run joined all members that it could, so the remaining ones are others.
        let done = run(1, reviewed.digest.hash)
        #expect(await verdict(now, expecting: reviewed, after: [done]) == .alreadyApplied(done))
        let others = try await scene.plan(audiences: [try scene.audience(scene.inline(1, 2))])
        _ = try stale(await verdict(others, expecting: reviewed, after: [cut]))
        try await scene.join(7)
        let leaving = try await scene.plan(audiences: [all])
        _ = try stale(await verdict(leaving, expecting: reviewed, after: [cut]))
    }

    @Test func `a membership that the files no longer want is another plan`()
        async throws
    {
        let all = try scene.audience(scene.inline(0, 1, 2))
        let reviewed = try await scene.plan(audiences: [all])
        let cut = run(1, reviewed.digest.hash, .abandoned)
        let found = try stale(
            await verdict(try await scene.plan(), expecting: reviewed, after: [cut])
        )
        guard case .membership(_, .gone)? = found.differences?.first else {
            throw Unexpected(verdict: .stale(found))
        }
        for number in 0...2 { try await scene.join(number) }
        let done = try await scene.plan(audiences: [all])
        #expect(await verdict(done, expecting: reviewed, after: [cut]) == .alreadyApplied(cut))
    }

    @Test func `never unsubscribes members that the review forgets without a request`() async throws
    {
        try await scene.join(0, 1, audience: "first")
        let shrunk = try scene.audience(scene.inline(0), named: "first")
        let second = try scene.audience(scene.inline(0, 1), named: "second")
        let reviewed = try await scene.plan(audiences: [shrunk, second])
        let cut = run(1, reviewed.digest.hash, .abandoned)
        #expect(reviewed.memberships.allSatisfy { $0.leaves.isEmpty })
        let now = try await scene.plan(audiences: [shrunk])
        #expect(now.memberships.map { $0.leaves.count } == [1])
        _ = try stale(await verdict(now, expecting: reviewed, after: [cut]))
    }

    @Test func `a selected part is not the rest of the whole plan`() async throws {
        let campaigns = try two()
        let reviewed = try await scene.plan(campaigns)
        let cut = run(1, reviewed.digest.hash, .interrupted)
        let rest = try await scene.plan([campaigns[0]])
        #expect(await verdict(rest, expecting: reviewed, after: [cut]) == .goesOn)
        let other = Selection.Part(campaigns: [campaigns[1].id])
        let part = try await scene.plan(
            campaigns,
            selection: Selection(only: nil, except: other)
        )
        #expect(part.reviewed == rest.reviewed)
        _ = try stale(await verdict(part, expecting: reviewed, after: [cut]))
    }

    @Test func `failed leaves and paused sends continue after a complete run`() async throws {
        try await scene.join(0, 1)
        let removal = [try scene.removal(.unsubscribe)]
        let reviewed = try await scene.plan(removals: removal)
        let done = run(1, reviewed.digest.hash)
        let scope = try StoreFixtures.scope("all", "news")
        _ = try await scene.store.beginLeave(scene.fingerprints(0, 1), in: scope)
        try await scene.store.finishLeave(StoreFixtures.results(scene.members([0])), in: scope)
        let now = try await scene.plan(removals: removal)
        #expect(await verdict(now, expecting: reviewed, after: [done]) == .goesOn)
    }

    @Test func `a send that was paused in progress continues after a complete run`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1)))
        let reviewed = try await scene.plan([campaign])
        _ = try await scene.begin(campaign)
        let done = run(1, reviewed.digest.hash)
        #expect(
            await verdict(try await scene.plan([campaign]), expecting: reviewed, after: [done])
                == .goesOn
        )
    }

    private func sale(_ numbers: Int...) throws -> Campaign {
        try scene.campaign(to: .registrations(.inline(try numbers.map(scene.registration))))
    }

    @Test func `a list that was edited during its send is another plan`() async throws {
        let reviewed = try await scene.plan([sale(0, 1, 2)])
        _ = try await scene.begin(sale(0, 1, 2))
        let cut = run(1, reviewed.digest.hash, .abandoned)
        let same = try await scene.plan([sale(0, 1, 2)])
        #expect(await verdict(same, expecting: reviewed, after: [cut]) == .goesOn)
        let edited = try await scene.plan([sale(0, 1)])
        let found = try stale(await verdict(edited, expecting: reviewed, after: [cut]))
        guard case .campaign(_, .changed)? = found.differences?.first else {
            throw Unexpected(verdict: .stale(found))
        }
    }

    @Test func `continues the rest of a send whose edited list was reviewed`() async throws {
        let unit = try await scene.begin(sale(0, 1, 2, 3))
        let reviewed = try await scene.plan([sale(0, 1, 4)])
        let cut = run(50, reviewed.digest.hash, .abandoned)
        try await scene.record([.accepted, .accepted, .accepted], of: unit)
        let rest = try await scene.plan([sale(0, 1, 4)])
        #expect(rest.digest.hash != reviewed.digest.hash)
        #expect(await verdict(rest, expecting: reviewed, after: [cut]) == .goesOn)
        // A complete run leaves only what a pause or a hold has stopped.
        let done = run(50, reviewed.digest.hash)
        #expect(await verdict(rest, expecting: reviewed, after: [done]) == .goesOn)
        let again = try await scene.plan([sale(0, 1, 4, 5)])
        _ = try stale(await verdict(again, expecting: reviewed, after: [cut]))
        let reverted = try await scene.plan([sale(0, 1, 2, 3)])
        #expect(await verdict(reverted, expecting: reviewed, after: [cut]) == .goesOn)
        // More requests than reviewed are never a rest.
        let later = run(60, rest.digest.hash, .abandoned)
        _ = try stale(await verdict(reviewed, expecting: rest, after: [later]))
    }

    @Test func `a renamed campaign continues under its new name`() async throws {
        try await scene.remember(try await scene.plan([try scene.campaign("old")]))
        let campaign = try ReviewedVariations(scene).campaign("new", formerly: "old")
        let reviewed = try await scene.plan([campaign])
        try await scene.remember(reviewed)
        let cut = run(5, reviewed.digest.hash, .abandoned)
        let now = try await scene.plan([campaign])
        #expect(now.digest.hash != reviewed.digest.hash)
        #expect(await verdict(now, expecting: reviewed, after: [cut]) == .goesOn)
    }

    @Test func `examines exactly the runs since the plan`() throws {
        let digest = try #require(PlanDigest(Self.other + "@7"))
        let expectation = PlanExpectation(digest, kept: nil)
        #expect(expectation.runCount(at: StateSerial(number: 12)) == 5)
        let kept = ArchivedPlan(
            digest: Self.other,
            serial: StateSerial(number: 9),
            made: PlanScene.now,
            user: "ada",
            host: "desk",
            content: [:]
        )
        let plain = PlanExpectation(try #require(PlanDigest(Self.other)), kept: kept)
        #expect(plain.runCount(at: StateSerial(number: 12)) == 3)
        #expect(plain.reviewed == nil)
    }
}
