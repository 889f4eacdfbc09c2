import CampaignModel
import JSON
import Presentation
import RegistrationLists
import State
import SystemIO
import Testing
import Time

@testable import Planning

/// Plans for sets that contain the output of a source.
struct SourceSetPlanTests {
    private let scene: PlanScene
    private let source: ListSourceID

    init() throws {
        scene = try PlanScene()
        source = try #require(ListSourceID("vips"))
    }

    private var vips: ListSet.Part {
        let file = RegistrationFile(
            path: RegistrationFile.path(of: source),
            format: .text,
            kind: .token,
            column: nil,
            identity: nil,
            reading: .atApply,
            source: source
        )
        return ListSet.Part(AudienceID("vips"), list: .described(file))
    }

    /// The union of the source and a file with the registrations, which may have names.
    private func crew(_ numbers: Int..., name: String = "Ana") throws -> RegistrationList {
        let rows = try numbers.map { try scene.registration($0).token + ",\(name)\n" }
        try scene.write("registration,name\n" + rows.joined(), to: "crew.csv")
        let file = RegistrationFile(
            path: "crew.csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: nil,
            reading: .atApply
        )
        return .set(ListSet(of: [vips, ListSet.Part(AudienceID("crew"), list: .described(file))]))
    }

    private func campaign(to list: RegistrationList, title: String = "Hello") throws -> Campaign {
        Campaign(
            id: try #require(CampaignID("call")),
            about: nil,
            owner: nil,
            target: .registrations(list),
            audience: AudienceID("all"),
            content: MessageContent(fields: ["notification": ["title": .string(title)]]),
            delivery: .unspecified,
            schedule: .immediate
        )
    }

    /// `numbers`: the rows of the source; nil if it was not read.
    private func plan(
        _ campaigns: [Campaign] = [],
        audiences: [Audience] = [],
        rows numbers: Range<Int>?,
        program: String = "export",
        drift: String = "10%"
    ) async throws -> Plan {
        let definition = ListSource(
            id: source,
            origin: .command(SourceCommand(arguments: [program])),
            format: .text,
            maximumDrift: try #require(Percentage(drift))
        )
        return try await scene.plan(
            campaigns,
            audiences: audiences,
            topics: [try scene.topic(): TopicDescription(about: nil, reach: nil)],
            sources: [source: definition],
            lists: try numbers.map(lists)
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

    private func isReviewed(_ now: Plan, by reviewed: Plan) async -> Bool {
        await PlanExpectation(reviewed.digest, reviewed: reviewed.reviewed, kept: nil)
            .verdict(on: now, after: []) { _ in false } == .same
    }

    @Test func `the digest covers the source's size and definition, and the file`() async throws {
        let reviewed = try await plan([try campaign(to: crew(100, 101))], rows: 0..<20)
        let others = try await plan([try campaign(to: crew(100, 101))], rows: 20..<40)
        #expect(others.digest.hash == reviewed.digest.hash)
        let edited = try await plan([try campaign(to: crew(100, 102))], rows: 0..<20)
        let redefined = try await plan(
            [try campaign(to: crew(100, 101))],
            rows: 0..<20,
            program: "other"
        )
        let hashes = [reviewed, edited, redefined].map(\.digest.hash)
        #expect(Set(hashes).count == 3)
        let list = reviewed.reviewed.campaigns.values.first?["definition"]?["list"]
        #expect(list?["count"] == 22 && list?["id"] == nil)
        let parts = list?["set"]?["lists"]?.arrayValue ?? []
        #expect(parts.map { $0["list"] } == ["vips", "crew"])
        #expect(parts.map { $0["count"] } == [20, 2])
        #expect(parts.first?["source"]?["command"] == ["export"])
        #expect(parts.last?["source"] == nil && parts.last?["id"] != nil)
    }

    @Test func `the digest covers the values of the file`() async throws {
        let audience = Audience(
            id: try #require(AudienceID("all")),
            about: nil,
            list: try crew(100),
            subscribe: nil,
            columns: ["name": ListColumn(standard: "you")]
        )
        var hashes: Set<String> = []
        for name in ["Ana", "Bo", "Ana"] {
            let call = try campaign(to: crew(100, name: name), title: "Hello {{name}}")
            let plan = try await plan([call], audiences: [audience], rows: 0..<5)
            hashes.insert(plan.digest.hash)
        }
        #expect(hashes.count == 2)
    }

    @Test func `a drift within the limit of the source is the reviewed plan`() async throws {
        let call = try campaign(to: crew(100, 101))
        let reviewed = try await plan([call], rows: 0..<20)
        for (rows, isSame) in [(0..<22, true), (2..<20, true), (0..<23, false), (0..<17, false)] {
            let now = try await plan([call], rows: rows)
            #expect(await isReviewed(now, by: reviewed) == isSame, "\(rows)")
        }
        let edited = try await plan([try campaign(to: crew(100, 102))], rows: 0..<20)
        #expect(!(await isReviewed(edited, by: reviewed)))
    }

    /// The source has 20 rows each time, but one of them is in the file.
    @Test(arguments: [("0%", false), ("10%", true)])
    func `another overlap changes the size of the set`(drift: String, isSame: Bool) async throws {
        let call = try campaign(to: crew(20, 101))
        let reviewed = try await plan([call], rows: 0..<20, drift: drift)
        let now = try await plan([call], rows: 1..<21, drift: drift)
        #expect(now.campaigns[0].audience == .list(name: "all", count: 21, people: nil))
        #expect(await isReviewed(now, by: reviewed) == isSame)
    }

    @Test func `a stale plan names the lists of the set that differ`() async throws {
        let call = try campaign(to: crew(20, 101))
        let reviewed = try await plan([call], rows: 0..<20, drift: "0%")
        func differences(to now: Plan) -> String {
            ReviewWording(hint: .local).stale(
                StalePlan(
                    digest: reviewed.digest,
                    now: now.digest,
                    differences: reviewed.reviewed.differences(to: now.reviewed),
                    runs: []
                )
            ).message
        }
        let larger = try await plan([call], rows: 0..<23, drift: "0%")
        #expect(
            differences(to: larger).contains(
                "list all of campaign call: 22 registrations → 24 registrations (vips differs)"
            )
        )
        let overlapping = try await plan([call], rows: 1..<21, drift: "0%")
        #expect(
            differences(to: overlapping).contains(
                "22 registrations → 21 registrations (the lists overlap in other rows)"
            )
        )
        let edited = try await plan([try campaign(to: crew(20, 102))], rows: 0..<20, drift: "0%")
        #expect(
            differences(to: edited).contains("22 registrations → 22 registrations (crew differs)")
        )
    }

    @Test func `the joins of a set may drift with its source`() async throws {
        let audience = try scene.audience(try crew(100, 101))
        let reviewed = try await plan(audiences: [audience], rows: 0..<20)
        #expect(reviewed.memberships.map(\.joins.count) == [22])
        let larger = try await plan(audiences: [audience], rows: 0..<22)
        #expect(await isReviewed(larger, by: reviewed))
        let tooLarge = try await plan(audiences: [audience], rows: 0..<23)
        #expect(!(await isReviewed(tooLarge, by: reviewed)))
    }

    @Test func `a membership of a set with a source is reviewed without changes`() async throws {
        let audience = try scene.audience(try crew(100))
        try await scene.join(0, 1, 100)
        let reviewed = try await plan(audiences: [audience], rows: 0..<2)
        #expect(reviewed.memberships.isEmpty)
        #expect(reviewed.reviewed.memberships.count == 1)
    }

    @Test func `a set with a source that was not read is not planned`() async throws {
        let excluding = RegistrationList.set(
            ListSet(of: [ListSet.Part(list: try scene.inline(3))], except: [vips])
        )
        let audience = try scene.audience(try crew(100))
        let plan = try await plan(
            [try campaign(to: excluding)],
            audiences: [audience],
            rows: nil
        )
        #expect(plan.campaigns.isEmpty && plan.memberships.isEmpty)
        #expect(
            plan.unread == [
                UnreadSource(
                    source: source,
                    campaigns: [try #require(CampaignID("call"))],
                    audiences: [audience.id]
                )
            ]
        )
    }
}
