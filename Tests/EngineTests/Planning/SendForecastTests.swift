import CampaignModel
import JSON
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Predicts the sends of rules in Berlin, an hour ahead of UTC in winter, from 2027-01-15T08:00:00Z.
struct SendForecastTests {
    private let scene: PlanScene
    private let zones = TimeZoneDatabase.system(environment: [:])

    init() throws {
        scene = try PlanScene()
    }

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private func forecast(hours: QuietHours? = nil) throws -> SendForecast {
        let standard = EnvironmentSettings.standard
        let guards = Guards(
            maximumRecipients: standard.guards.maximumRecipients,
            maximumChange: standard.guards.maximumChange,
            quietHours: hours,
            cap: standard.guards.cap,
            requiresReviewedPlan: standard.guards.requiresReviewedPlan,
            maximumSends: standard.guards.maximumSends,
            allowsTest: standard.guards.allowsTest
        )
        let environment = CampaignModel.Environment(
            id: try #require(EnvironmentID("dev")),
            endpoint: .embeddedEmulator,
            settings: EnvironmentSettings(
                state: standard.state,
                isProtected: standard.isProtected,
                sends: standard.sends,
                pace: standard.pace,
                guards: guards,
                settle: standard.settle
            )
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
        return SendForecast(
            of: AppliedEnvironment(environment, of: project),
            zones: zones,
            at: PlanScene.now
        )
    }

    private func night(spread: Int64 = 0) throws -> QuietHours {
        QuietHours(
            from: try #require(CivilTime(hour: 22, minute: 0)),
            to: try #require(CivilTime(hour: 7, minute: 0)),
            spread: spread
        )
    }

    /// Applies a campaign, and predicts its sends in a period of UTC.
    private func sends(
        of campaign: Campaign,
        from first: String,
        to end: String,
        hours: QuietHours? = nil,
        limit: Int = 1_000
    ) async throws -> SendForecast.Sends {
        try await scene.remember(scene.plan([campaign]))
        let applied = try await scene.store.appliedState()
        return try forecast(hours: hours).sends(
            of: try #require(applied.definitions[campaign.id]),
            in: instant(first)..<instant(end),
            limit: limit
        ) { applied.occurrences[$0] != nil }
    }

    private func due(_ sends: SendForecast.Sends) -> [String] {
        sends.sends.map(\.due.instant.utcText)
    }

    @Test func `predicts the sends after the recorded one`() async throws {
        let found = try await sends(
            of: scene.rule("30 7 * * *"),
            from: "2027-01-15T00:00:00Z",
            to: "2027-01-19T06:30:00Z"
        )
        // The state has the send of January 16.
        #expect(due(found) == ["2027-01-17T06:30:00Z", "2027-01-18T06:30:00Z"])
        #expect(found.sends.first?.id.description == "daily/2027-01-17T07:30/1")
        #expect(found.sends.first?.due.local.description == "2027-01-17 07:30")
        #expect(found.sends.first?.due.zone == "Europe/Berlin")
        #expect(found.gap == nil)
    }

    @Test func `a skipped local time is due at the end of the gap`() async throws {
        let found = try await sends(
            of: scene.rule("30 2 * * *"),
            from: "2027-03-27T00:00:00Z",
            to: "2027-03-30T00:00:00Z"
        )
        let expected = ["2027-03-27T01:30:00Z", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"]
        #expect(due(found) == expected)
    }

    @Test func `starts at the beginning of the period`() async throws {
        let found = try await sends(
            of: scene.rule("30 7 * * *"),
            from: "2027-01-20T06:30:00Z",
            to: "2027-01-20T06:30:01Z"
        )
        #expect(due(found) == ["2027-01-20T06:30:00Z"])
    }

    @Test func `names a rule with more sends than the limit`() async throws {
        let found = try await sends(
            of: scene.rule("*/15 * * * *"),
            from: "2027-01-16T00:00:00Z",
            to: "2027-02-16T00:00:00Z",
            limit: 1_500
        )
        #expect(found.sends.count == 1_500)
        #expect(found.gap == .limit)
        // 1,499 quarters of an hour later.
        #expect(due(found).last == "2027-01-31T14:45:00Z")
    }

    @Test func `quiet hours defer a send`() async throws {
        let found = try await sends(
            of: scene.rule("30 23 * * *"),
            from: "2027-01-17T00:00:00Z",
            to: "2027-01-18T00:00:00Z",
            hours: night()
        )
        #expect(due(found) == ["2027-01-17T06:00:00Z"])
        #expect(found.sends.first?.id.slot.text == "2027-01-16T23:30")
        #expect(found.sends.first?.deferredFrom?.utcText == "2027-01-16T22:30:00Z")
    }

    @Test func `the last send of the night goes out if quiet hours hold several`() async throws {
        let found = try await sends(
            of: scene.rule("0 * * * *"),
            from: "2027-01-16T23:00:00Z",
            to: "2027-01-17T23:00:00Z",
            hours: night()
        )
        // From 07:00 to 21:00 in Berlin; the sends of the night are left to that of 07:00.
        #expect(found.sends.count == 15)
        #expect(due(found).first == "2027-01-17T06:00:00Z")
        #expect(due(found).last == "2027-01-17T20:00:00Z")
        #expect(found.sends.allSatisfy { $0.deferredFrom == nil })
    }

    @Test func `predicts nothing for a single time`() async throws {
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(86_400)))
        let found = try await sends(
            of: campaign,
            from: "2027-01-15T00:00:00Z",
            to: "2027-02-15T00:00:00Z"
        )
        #expect(found.sends.isEmpty)
        #expect(found.gap == nil)
    }

    @Test func `names a rule that the state does not contain`() async throws {
        let campaign = try scene.campaign(
            to: .registrations(scene.inline(0)),
            fields: [
                "notification": ["title": "Hello"], "apns": ["live_activity_token": "secret"],
            ],
            schedule: scene.rule("30 7 * * *").schedule
        )
        let found = try await sends(
            of: campaign,
            from: "2027-01-15T00:00:00Z",
            to: "2027-02-15T00:00:00Z"
        )
        #expect(found.sends.isEmpty)
        #expect(found.gap == .notStored)
    }

    @Test func `recognizes a recorded send that quiet hours have moved`() async throws {
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(15 * 3_600)))
        try await scene.remember(scene.plan([campaign]))
        let definitions = try await scene.store.definitions(of: [campaign.id])
        let definition = try #require(definitions[campaign.id])
        let moved = try instant("2027-01-16T07:00:00Z")
        let forecast = try forecast(hours: night())
        #expect(
            try forecast.deferral(of: scene.id("sale"), due: moved, by: definition)
                == instant("2027-01-15T23:00:00Z")
        )
        #expect(
            try forecast.deferral(
                of: scene.id("sale"),
                due: instant("2027-01-15T23:00:00Z"),
                by: definition
            ) == nil
        )
        #expect(
            try self.forecast().deferral(of: scene.id("sale"), due: moved, by: definition) == nil
        )
    }
}
