import CampaignModel
import Testing
import Time

@testable import Planning

/// Times that clocks skip or show twice, and rules that hit them.
enum ClockScene {
    static func plan() async throws -> Plan {
        let scene = try PlanScene()
        let zone = try PlanGolden.zones.rules(named: "Europe/Berlin")
        func at(_ text: String) throws -> Schedule {
            let local = try #require(CivilDateTime(parsing: text))
            return .at(
                ScheduledMoment(
                    local: local,
                    zone: "Europe/Berlin",
                    instant: zone.resolve(local).instant
                )
            )
        }
        return try await scene.plan(
            [
                scene.campaign("skipped", schedule: at("2027-03-28 02:30")),
                scene.campaign("doubled", schedule: at("2027-10-31 02:30")),
                scene.rule("30 2 * * *"),
            ],
            at: try #require(Instant(rfc3339: "2027-03-26T20:00:00Z"))
        )
    }
}
