import CampaignModel
import JSON
import Testing

@testable import Planning

/// A plan with lists that are read when their sends begin: one now, one later, and one that was
/// read by the apply before.
enum ListAtSendScene {
    static func plan() async throws -> Plan {
        let scene = try PlanScene()
        let now = try campaign("call", to: scene.listAtSend("people.csv", column: "registration"))
        let later = try scene.campaign(
            "later",
            to: .registrations(scene.listAtSend()),
            title: "Later",
            schedule: .at(PlanScene.moment(3_600))
        )
        let before = try scene.campaign(
            "moved",
            to: .registrations(scene.file(0..<3)),
            title: "Moved",
            schedule: .at(PlanScene.moment(7_200))
        )
        try await scene.remember(try await scene.plan([before]))
        let after = try scene.campaign(
            "moved",
            to: .registrations(scene.listAtSend("list.txt")),
            title: "Moved",
            schedule: .at(PlanScene.moment(7_200))
        )
        let people = Audience(
            id: try #require(AudienceID("boat-owners")),
            about: nil,
            list: scene.listAtSend("people.csv", column: "registration"),
            subscribe: nil,
            columns: ["boat": ListColumn(standard: "your boat")]
        )
        return try await scene.plan([now, later, after], audiences: [people])
    }

    private static func campaign(_ name: String, to list: RegistrationList) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID(name)),
            about: nil,
            owner: nil,
            target: .registrations(list),
            audience: AudienceID("boat-owners"),
            content: MessageContent(
                fields: [
                    "notification": ["title": "Hello {{name}}", "body": "{{boat}} is ready"]
                ]
            ),
            delivery: .unspecified,
            schedule: .immediate
        )
    }
}
