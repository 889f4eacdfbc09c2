import CampaignModel
import Planning
import RegistrationLists
import State
import Testing
import Time

/// Plans from the state alone.
extension PlanScene {
    private static let zones = TimeZoneDatabase.system(environment: [:])

    func appliedCampaigns(
        requiresReview: Bool = false,
        readsAtSend: Bool = false,
        at now: Instant = Self.now
    ) async throws -> AppliedCampaigns {
        let applied = try await store.appliedState()
        var lists: Set<ListID> = []
        for list in applied.definedLists where try await store.hasList(list) {
            lists.insert(list)
        }
        return AppliedCampaigns(
            of: applied,
            requiresReview: requiresReview,
            lists: KnownLists(stored: lists, readsAtSend: readsAtSend),
            zones: Self.zones,
            at: now
        )
    }

    /// Plans at a time after `now`, in seconds.
    func planFromState(after seconds: Int64, readsAtSend: Bool = false) async throws -> Plan {
        let now = Self.now.advanced(bySeconds: seconds)
        let campaigns = try await appliedCampaigns(readsAtSend: readsAtSend, at: now)
        let environment = CampaignModel.Environment(
            id: try #require(EnvironmentID("dev")),
            endpoint: .embeddedEmulator
        )
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "UTC",
            topics: [:],
            environments: [],
            campaigns: [],
            audiences: [],
            devices: []
        )
        return try await Planner(
            project: AppliedEnvironment(environment, of: project).project(
                with: campaigns.campaigns,
                audiences: campaigns.audiences
            ),
            environment: environment.id,
            store: store,
            surveys: ListSurveys(of: [], directory: folder.path, fingerprinter: fingerprinter),
            fingerprinter: fingerprinter,
            zones: Self.zones,
            now: now,
            selection: campaigns.selection,
            isFromState: true
        ).plan()
    }
}
