import CampaignModel
import JSON
import Planning
import RegistrationLists
import State
import StoreConformance
import Testing
import Time

/// Plans from the state alone.
struct AppliedCampaignsTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaigns(
        requiresReview: Bool = false,
        at now: Instant = PlanScene.now
    ) async throws -> AppliedCampaigns {
        try await scene.appliedCampaigns(requiresReview: requiresReview, at: now)
    }

    /// Plans at a time after `PlanScene.now`, in seconds.
    private func plan(after seconds: Int64) async throws -> Plan {
        try await scene.planFromState(after: seconds)
    }

    private func apply(_ campaigns: Campaign..., isReviewed: Bool = false) async throws {
        let guards = GuardBasis(
            application: GuardedApplication(isReviewed: isReviewed, isConfirmable: true)
        )
        try await scene.remember(try await scene.plan(campaigns, guards: guards))
    }

    @Test func `plans nothing before the due time`() async throws {
        try await apply(try scene.campaign(schedule: .at(PlanScene.moment(3_600))))
        let plan = try await plan(after: 3_599)
        #expect(!plan.hasChanges)
        #expect(plan.sends.isEmpty)
        let next = try await campaigns().next
        #expect(next == PlanScene.now.advanced(bySeconds: 3_600))
    }

    @Test func `sends what an apply with the files would send`() async throws {
        let campaign = try scene.campaign(
            fields: ["notification": ["title": "Hello"], "data": ["screen": "tides"]],
            delivery: Delivery(
                timeToLive: TimeToLive(seconds: 600),
                priority: .high,
                collapse: CollapseKey("tide")
            ),
            schedule: .at(PlanScene.moment(3_600))
        )
        try await apply(campaign)
        let now = PlanScene.now.advanced(bySeconds: 3_600)
        let expected = try await scene.plan([campaign], at: now)
        let found = try await plan(after: 3_600)
        #expect(found.sends == expected.sends)
        #expect(found.sends.count == 1)
        #expect(found.definitionChanges.isEmpty)
    }

    @Test func `sends a rule's slot and schedules the next one`() async throws {
        let rule = try scene.rule("0 10 * * *")
        try await apply(rule)
        // 10:00 in Berlin is 09:00 UTC, one hour after the apply.
        let expected = try await scene.plan(
            [rule],
            at: PlanScene.now.advanced(bySeconds: 3_600)
        )
        let found = try await plan(after: 3_600)
        #expect(found.sends == expected.sends)
        #expect(found.sends.count == 1)
        #expect(found.definitionChanges == expected.definitionChanges)
    }

    @Test func `treats a late send as its campaign says`() async throws {
        try await apply(try scene.campaign(schedule: .at(PlanScene.moment(3_600))))
        let plan = try await plan(after: 3_600 + 601)
        #expect(
            plan.campaigns.map(\.step) == [
                .expire(try scene.id("sale"), PlanScene.moment(3_600))
            ]
        )
    }

    @Test func `sends to the stored list, whatever happens to the file`() async throws {
        let list = try scene.file(0..<3)
        let campaign = try scene.campaign(
            to: .registrations(list),
            schedule: .at(PlanScene.moment(3_600))
        )
        try await apply(campaign)
        _ = try scene.file(7..<9)
        let send = try #require(try await plan(after: 3_600).sends.first)
        guard case .stored(_, let fingerprints) = send.target else {
            Issue.record("the list is not the stored one")
            return
        }
        #expect(fingerprints == (try scene.fingerprints(0, 1, 2)))
        #expect(send.remaining == 3)
    }

    @Test func `drops the stored list with its last scheduled send`() async throws {
        let list = try scene.file(0..<3)
        let campaign = try scene.campaign(
            to: .registrations(list),
            schedule: .at(PlanScene.moment(3_600))
        )
        try await apply(campaign)
        let stored = try #require(try await scene.store.appliedState().definedLists.first)
        #expect(try await scene.store.hasList(stored))
        try await apply()
        #expect(try await !scene.store.hasList(stored))
    }

    @Test func `leaves a list that is read when its send begins to an apply`() async throws {
        let campaign = try scene.campaign(
            to: .registrations(scene.listAtSend()),
            schedule: .at(PlanScene.moment(60))
        )
        try await apply(campaign)
        #expect(try await scene.store.appliedState().definedLists.isEmpty)
        #expect(try await campaigns().refused.isEmpty)
        let due = PlanScene.now.advanced(bySeconds: 60)
        let found = try await campaigns(at: due)
        #expect(found.campaigns.isEmpty)
        #expect(found.refused.map(\.reason) == [.listAtSend])
        // Its definition is complete: an apply does not record it again.
        #expect(try await !scene.plan([campaign]).hasChanges)
    }

    @Test func `sends only reviewed definitions if reviews are required`() async throws {
        try await apply(
            try scene.campaign("seen", schedule: .at(PlanScene.moment(60))),
            isReviewed: true
        )
        #expect(try await campaigns(requiresReview: true).campaigns.map(\.id.rawValue) == ["seen"])
        try await apply(
            try scene.campaign("seen", title: "Other", schedule: .at(PlanScene.moment(60)))
        )
        #expect(try await campaigns(requiresReview: true).campaigns.isEmpty)
        let id = try #require(CampaignID("seen"))
        let due = PlanScene.now.advanced(bySeconds: 60)
        let refused = try await campaigns(requiresReview: true, at: due).refused
        #expect(refused.map(\.campaign) == [id])
        #expect(refused.map(\.reason) == [.notReviewed])
        // Nothing is refused before it is due.
        #expect(try await campaigns(requiresReview: true).refused.isEmpty)
        #expect(try await campaigns(requiresReview: false, at: due).campaigns.map(\.id) == [id])
    }

    @Test func `a review records a scheduled definition that was not reviewed`() async throws {
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(60)))
        try await apply(campaign)
        var limits = EnvironmentSettings.standard.guards
        limits = Guards(
            maximumRecipients: nil,
            maximumChange: nil,
            quietHours: nil,
            cap: nil,
            requiresReviewedPlan: true,
            maximumSends: nil,
            allowsTest: limits.allowsTest
        )
        let guards = GuardBasis(
            limits: limits,
            application: GuardedApplication(isReviewed: true, isConfirmable: true)
        )
        let plan = try await scene.plan([campaign], guards: guards)
        let redefined = CampaignStep.redefine(try scene.id("sale"), PlanScene.moment(60))
        #expect(plan.campaigns.map(\.step) == [redefined])
        try await scene.remember(plan)
        #expect(try await campaigns(requiresReview: true).campaigns.count == 1)
        #expect(try await !scene.plan([campaign], guards: guards).hasChanges)
    }

    @Test func `does not store the token of a Live Activity`() async throws {
        let campaign = try scene.campaign(
            fields: [
                "apns": [
                    "live_activity_token": "secret-token", "payload": ["aps": ["event": "update"]],
                ]
            ],
            schedule: .at(PlanScene.moment(60))
        )
        try await apply(campaign)
        let id = try #require(CampaignID("sale"))
        #expect(try await scene.store.appliedState().definitions[id]?.sending == nil)
        let due = PlanScene.now.advanced(bySeconds: 60)
        let refused = try await campaigns(at: due).refused
        #expect(refused.map(\.campaign) == [id])
        #expect(refused.map(\.reason) == [.notStored])
    }
}

/// The settings of environments in the state.
struct AppliedEnvironmentTests {
    private static func environments() throws -> [CampaignModel.Environment] {
        let settings = EnvironmentSettings(
            state: StateLocation(
                store: .sqlite,
                lineage: "0123",
                encryption: StateEncryption(
                    key: .variable(name: "KEY"),
                    previous: .command("pass key")
                ),
                retain: 86_400
            ),
            isProtected: true,
            sends: .run,
            pace: Pace(
                sendsPerMinute: 100,
                subscriptionsPerSecond: 20,
                fanOuts: 3,
                fanOutRate: 400
            ),
            guards: Guards(
                maximumRecipients: nil,
                maximumChange: nil,
                quietHours: QuietHours(
                    from: try #require(CivilTime(hour: 22, minute: 30)),
                    to: try #require(CivilTime(hour: 7, minute: 0)),
                    spread: 90
                ),
                cap: nil,
                requiresReviewedPlan: true,
                maximumSends: 17,
                allowsTest: true
            ),
            settle: 5,
            maximumUnknown: 50,
            notify: NotifySettings(
                webhook: VariableReference(name: "HOOK"),
                secret: VariableReference(name: "HOOK_KEY")
            )
        )
        let id = try #require(EnvironmentID("live"))
        return [
            .embeddedEmulator,
            .emulator(url: "http://127.0.0.1:9", authority: "ca.pem", credentials: nil),
            .emulator(
                url: "http://127.0.0.1:9",
                authority: nil,
                credentials: .file(path: "key.json")
            ),
            .fcm(
                FCMAccount(
                    projectID: "tidewatch",
                    senderID: "17",
                    credentials: .variable(name: "FCM_KEY"),
                    endpoint: "http://127.0.0.1:1"
                )
            ),
            .fcm(
                FCMAccount(projectID: "tidewatch", senderID: nil, credentials: .applicationDefault)
            ),
        ].map { CampaignModel.Environment(id: id, endpoint: $0, settings: settings) }
    }

    @Test func `reads the settings that it stored`() throws {
        let topic = try #require(Topic("tides"))
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "Atlantic/Azores",
            topics: [topic: TopicDescription(about: nil, reach: 7)],
            environments: [],
            campaigns: [],
            audiences: [],
            devices: []
        )
        for environment in try Self.environments() {
            let stored = AppliedEnvironment(environment, of: project).stored
            let text = try #require(JSONValue(stored: stored.compactText))
            let read = try #require(AppliedEnvironment(stored: text))
            #expect(read.environment == environment)
            #expect(read.project.id == project.id)
            #expect(read.project.timeZone == "Atlantic/Azores")
            #expect(read.project.topics[topic]?.reach == 7)
        }
    }

    @Test func `refuses settings without an address`() throws {
        let environment = CampaignModel.Environment(
            id: try #require(EnvironmentID("live")),
            endpoint: .unresolved
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
        let stored = AppliedEnvironment(environment, of: project).stored
        #expect(AppliedEnvironment(stored: stored) == nil)
    }
}
