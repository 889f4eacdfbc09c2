import CampaignModel
import JSON
import RegistrationLists
import State
import StoreConformance
import SystemIO
import Testing
import Time

@testable import Planning

/// Plans with lists from sources: what a reviewer approves, and how much it may differ.
struct SourcePlanTests {
    private let scene: PlanScene
    private let source: ListSourceID

    init() throws {
        scene = try PlanScene()
        source = try #require(ListSourceID("vips"))
    }

    private func definition(
        _ program: String = "export",
        drift: String = "10%"
    ) throws -> [ListSourceID: ListSource] {
        [
            source: ListSource(
                id: source,
                origin: .command(SourceCommand(arguments: [program])),
                format: .text,
                maximumDrift: try #require(Percentage(drift))
            )
        ]
    }

    private var list: RegistrationList {
        .described(
            RegistrationFile(
                path: RegistrationFile.path(of: source),
                format: .text,
                kind: .token,
                column: nil,
                identity: nil,
                reading: .atApply,
                source: source
            )
        )
    }

    private func lists(_ numbers: Range<Int>) throws -> ProjectLists {
        let file = try File.unnamed(in: scene.folder.path)
        let lines = try numbers.map { try scene.registration($0).token + "\n" }
        try file.write(Array(lines.joined().utf8))
        return ProjectLists(
            directory: scene.folder.path,
            outputs: [source: SourceOutput(file)]
        )
    }

    /// `numbers`: the rows of the source; nil if it was not read.
    private func plan(
        _ campaigns: [Campaign] = [],
        audiences: [Audience] = [],
        rows numbers: Range<Int>?,
        program: String = "export",
        drift: String = "10%",
        selection: Selection = .everything
    ) async throws -> Plan {
        try await scene.plan(
            campaigns,
            audiences: audiences,
            topics: [try scene.topic(): TopicDescription(about: nil, reach: nil)],
            selection: selection,
            sources: try definition(program, drift: drift),
            lists: try numbers.map(lists)
        )
    }

    private func call() throws -> Campaign {
        try scene.campaign("call", to: .registrations(list))
    }

    private func verdict(
        _ now: Plan,
        expecting reviewed: Plan,
        after runs: [RunRecord] = []
    ) async -> PlanVerdict {
        await PlanExpectation(reviewed.digest, reviewed: reviewed.reviewed, kept: nil)
            .verdict(on: now, after: runs) { _ in false }
    }

    private func isStale(_ verdict: PlanVerdict) -> Bool {
        if case .stale = verdict { true } else { false }
    }

    private func run(_ digest: String, _ status: RunStatus) -> RunRecord {
        var worker = StoreFixtures.worker
        worker.digest = digest
        return RunRecord(
            id: RunID(number: 1),
            worker: worker,
            status: status,
            ended: nil,
            tally: OutcomeTally(),
            cause: nil,
            serial: StateSerial(number: 1)
        )
    }

    // MARK: Digest

    @Test func `the digest covers the size and the definition, not the rows`() async throws {
        let reviewed = try await plan([try call()], rows: 0..<20)
        let others = try await plan([try call()], rows: 20..<40)
        #expect(others.digest.hash == reviewed.digest.hash)
        let larger = try await plan([try call()], rows: 0..<21)
        let redefined = try await plan([try call()], rows: 0..<20, program: "other")
        let looser = try await plan([try call()], rows: 0..<20, drift: "11%")
        let hashes = [reviewed, larger, redefined, looser].map(\.digest.hash)
        #expect(Set(hashes).count == 4)
        let content = reviewed.reviewed.campaigns.values.first?["definition"]?["list"]
        #expect(content?["count"] == 20)
        #expect(content?["source"]?["command"] == ["export"])
        #expect(content?["id"] == nil)
    }

    @Test func `a drift within the limit is the reviewed plan`() async throws {
        let reviewed = try await plan([try call()], rows: 0..<20)
        for rows in [18..<40, 0..<18, 0..<22] {
            let now = try await plan([try call()], rows: rows)
            #expect(await verdict(now, expecting: reviewed) == .same, "\(rows)")
        }
        for rows in [0..<23, 0..<17] {
            let now = try await plan([try call()], rows: rows)
            #expect(isStale(await verdict(now, expecting: reviewed)), "\(rows)")
        }
    }

    @Test func `without a limit, only the same size is the reviewed plan`() async throws {
        let reviewed = try await plan([try call()], rows: 0..<20, drift: "0%")
        let others = try await plan([try call()], rows: 5..<25, drift: "0%")
        #expect(await verdict(others, expecting: reviewed) == .same)
        let larger = try await plan([try call()], rows: 0..<21, drift: "0%")
        #expect(isStale(await verdict(larger, expecting: reviewed)))
    }

    @Test func `another definition or another campaign is never a drift`() async throws {
        let reviewed = try await plan([try call()], rows: 0..<20)
        let redefined = try await plan([try call()], rows: 0..<20, program: "other")
        #expect(isStale(await verdict(redefined, expecting: reviewed)))
        let retold = try scene.campaign("call", to: .registrations(list), title: "Bye")
        let now = try await plan([retold], rows: 0..<21)
        #expect(isStale(await verdict(now, expecting: reviewed)))
    }

    @Test func `a recorded campaign is unchanged while the source drifts`() async throws {
        let schedule = Schedule.at(PlanScene.moment(3_600))
        let campaign = try scene.campaign(
            "call",
            to: .registrations(list),
            schedule: schedule
        )
        try await scene.remember(
            try await plan([campaign], rows: 0..<20),
            reading: try lists(0..<20)
        )
        let drifted = try await plan([campaign], rows: 0..<22)
        #expect(drifted.campaigns.map(\.step) == [.unchanged])
        #expect(drifted.reviewed.campaigns.isEmpty)
        let larger = try await plan([campaign], rows: 0..<23)
        let redefined = CampaignStep.redefine(try scene.id("call"), PlanScene.moment(3_600))
        #expect(larger.campaigns.map(\.step) == [redefined])
        #expect(larger.campaigns[0].changes.map(\.path) == ["list.count"])
    }

    // MARK: Memberships

    @Test func `joins may drift with the list`() async throws {
        let audience = try scene.audience(list)
        let reviewed = try await plan(audiences: [audience], rows: 0..<20)
        #expect(reviewed.memberships.map(\.joins.count) == [20])
        let now = try await plan(audiences: [audience], rows: 1..<22)
        #expect(await verdict(now, expecting: reviewed) == .same)
        let larger = try await plan(audiences: [audience], rows: 0..<23)
        #expect(isStale(await verdict(larger, expecting: reviewed)))
    }

    @Test func `a reviewed membership without changes covers later ones within the limit`()
        async throws
    {
        let audience = try scene.audience(list)
        try await scene.join(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
        let reviewed = try await plan(audiences: [audience], rows: 0..<10)
        #expect(reviewed.memberships.isEmpty && reviewed.reviewed.isEmpty)
        let now = try await plan(audiences: [audience], rows: 0..<11)
        #expect(now.memberships.map(\.joins.count) == [1])
        #expect(await verdict(now, expecting: reviewed) == .same)
        // Two leaves are more than a tenth of the list.
        let smaller = try await plan(audiences: [audience], rows: 2..<12)
        #expect(isStale(await verdict(smaller, expecting: reviewed)))
    }

    @Test func `a plan that was applied is not applied again because of a drift`() async throws {
        let audience = try scene.audience(list)
        let reviewed = try await plan(audiences: [audience], rows: 0..<10)
        let done = run(reviewed.digest.hash, .complete)
        try await scene.join(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
        let now = try await plan(audiences: [audience], rows: 0..<11)
        #expect(await verdict(now, expecting: reviewed, after: [done]) == .alreadyApplied(done))
    }

    @Test func `the rest of an interrupted apply may drift`() async throws {
        let audience = try scene.audience(list)
        let reviewed = try await plan(audiences: [audience], rows: 0..<10)
        let cut = run(reviewed.digest.hash, .interrupted)
        try await scene.join(0, 1, 2)
        let rest = try await plan(audiences: [audience], rows: 0..<11)
        #expect(rest.memberships.map(\.joins.count) == [8])
        #expect(await verdict(rest, expecting: reviewed, after: [cut]) == .goesOn)
        let larger = try await plan(audiences: [audience], rows: 0..<12)
        #expect(isStale(await verdict(larger, expecting: reviewed, after: [cut])))
    }

    // MARK: Sources that were not read

    @Test func `a campaign to a source that was not read is named and not planned`() async throws {
        let other = try scene.campaign("other")
        let plan = try await plan([try call(), other], rows: nil)
        #expect(plan.campaigns.map(\.campaign) == [other.id])
        let unread = UnreadSource(
            source: source,
            campaigns: [try #require(CampaignID("call"))],
            audiences: []
        )
        #expect(plan.unread == [unread])
        #expect(plan.notices.contains(.unreadSource(unread)))
        #expect(!plan.isWhole)
    }

    @Test func `audiences that share a topic with an unread source are not planned`() async throws {
        let vips = try scene.audience(list, named: "vips")
        let crew = try scene.audience(try scene.inline(1), named: "crew")
        let away = try scene.audience(try scene.inline(2), named: "away", in: nil)
        try await scene.join(5, audience: "crew")
        let plan = try await plan(audiences: [vips, crew, away], rows: nil)
        #expect(plan.memberships.isEmpty)
        #expect(plan.unread.map { $0.audiences.map(\.rawValue) } == [["crew", "vips"]])
    }

    @Test func `a selection without the source needs no consent`() async throws {
        let other = try scene.campaign("other")
        let only = Selection(
            only: Selection.Part(campaigns: [other.id]),
            except: Selection.Part()
        )
        let plan = try await plan([try call(), other], rows: nil, selection: only)
        #expect(plan.unread.isEmpty && plan.campaigns.map(\.campaign) == [other.id])
    }

    @Test func `the leaves of a removed audience wait for every source with topics`() async throws {
        let vips = try scene.audience(list, named: "vips")
        try await scene.join(5, audience: "gone")
        let gone = try #require(AudienceID("gone"))
        let only = Selection(
            only: Selection.Part(audiences: [gone]),
            except: Selection.Part()
        )
        let plan = try await scene.plan(
            audiences: [vips],
            removals: [try scene.removal(.unsubscribe, of: "gone")],
            selection: only,
            sources: try definition()
        )
        #expect(plan.unread.map(\.source) == [source])
    }
}
