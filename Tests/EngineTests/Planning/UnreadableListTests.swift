import CampaignMessages
import CampaignModel
import RegistrationLists
import State
import Testing
import Time

@testable import Planning

/// Tests the report about interrupted sends whose campaigns have a list that cannot be read.
struct UnreadableListTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func lists(_ campaign: Campaign) async throws -> [UnreadableList] {
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "UTC",
            topics: [:],
            environments: [],
            campaigns: [campaign],
            audiences: [],
            devices: []
        )
        let planner = Planner(
            project: project,
            environment: try #require(EnvironmentID("dev")),
            store: scene.store,
            surveys: ListSurveys(
                of: project.lists,
                messages: project.messageColumns,
                directory: scene.folder.path,
                fingerprinter: scene.fingerprinter
            ),
            fingerprinter: scene.fingerprinter,
            zones: TimeZoneDatabase.system(environment: [:]),
            now: PlanScene.now
        )
        return try await planner.unreadableLists()
    }

    /// The first of four requests was sent.
    private func interrupt(_ name: String = "sale") async throws {
        let list = RegistrationList.inline(try (0..<4).map(scene.registration))
        let unit = try await scene.begin(scene.campaign(name, to: .registrations(list)))
        try await scene.record([.accepted], of: unit)
    }

    private var missing: AudienceTarget { .registrations(.file(path: "missing.txt")) }

    @Test func `counts the remaining requests of an interrupted send`() async throws {
        try await interrupt()
        let list = UnreadableList(occurrence: try scene.id("sale"), remaining: 3)
        #expect(try await lists(scene.campaign(to: missing)) == [list])
    }

    @Test func `dead registrations do not remain`() async throws {
        try await interrupt()
        try await scene.store.markDead(scene.fingerprints(3), at: PlanScene.now)
        let list = UnreadableList(occurrence: try scene.id("sale"), remaining: 2)
        #expect(try await lists(scene.campaign(to: missing)) == [list])
    }

    @Test func `names a renamed campaign as the files do`() async throws {
        try await interrupt("old")
        let campaign = try ReviewedVariations(scene)
            .campaign("new", to: missing, formerly: "old")
        let list = UnreadableList(occurrence: try scene.id("new"), remaining: 3)
        #expect(try await lists(campaign) == [list])
    }

    @Test func `a list that can be read, and a send that did not begin, are not reported`()
        async throws
    {
        #expect(try await lists(scene.campaign(to: missing)) == [])
        try await interrupt()
        let readable = try scene.campaign(to: .registrations(scene.file(0..<3)))
        #expect(try await lists(readable) == [])
        #expect(try await lists(scene.campaign()) == [])
    }
}
