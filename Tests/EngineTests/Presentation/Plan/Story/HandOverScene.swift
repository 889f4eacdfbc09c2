import CampaignModel
import Testing

@testable import Planning

/// A plan in an environment with `sends: run`: what is due is handed over, also late, to a topic and
/// to lists, and the rest is scheduled.
enum HandOverScene {
    static func plan() async throws -> Plan {
        let scene = try PlanScene()
        return try await scene.plan(
            [
                try scene.campaign("now", title: "Now"),
                try scene.campaign(
                    "list",
                    to: .registrations(scene.file(0..<3)),
                    title: "List"
                ),
                try scene.campaign(
                    "at-send",
                    to: .registrations(scene.listAtSend()),
                    title: "Read when sent"
                ),
                try scene.campaign(
                    "late",
                    title: "Late",
                    schedule: .at(PlanScene.moment(-300))
                ),
                try scene.campaign(
                    "later",
                    title: "Later",
                    schedule: .at(PlanScene.moment(3_600))
                ),
            ],
            topics: [try scene.topic(): TopicDescription(about: nil, reach: 5_000)],
            sends: .run
        )
    }
}
