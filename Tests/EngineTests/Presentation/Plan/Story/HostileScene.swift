import CampaignModel
import JSON
import Testing

@testable import Planning

/// Text that controls terminals, contains markup or mentions, runs from right to left, is wide or
/// is long.
enum HostileScene {
    static func plan() async throws -> Plan {
        let scene = try PlanScene()
        let long = String(repeating: "tide ", count: 2_000)
        try await scene.remember(
            scene.plan(
                [
                    scene.campaign("long", fields: message("Long", long + "low" + long)),
                    scene.campaign("wide", fields: message("潮汐", "明日の大潮は午前九時です。")),
                ].map { try $0.scheduled() }
            )
        )
        return try await scene.plan([
            scene.campaign("steering", fields: message("\u{1B}[2J\u{7}Hello", "a\r\nb\u{9B}31m")),
            scene.campaign(
                "marking",
                fields: message("<b>Hello</b> **you**", "@everyone [x](https://x) `rm` | --- |")
            ),
            scene.campaign("turning", fields: message("abc \u{202E}fed\u{2066}", "שלום עולם")),
            scene.campaign(
                "picture",
                fields: message("Hello 👋🏽👩‍👩‍👧 there", String(repeating: "🐟", count: 60))
            ),
            scene.campaign("long", fields: message("Long", long + "high" + long)).scheduled(),
            scene.campaign("wide", fields: message("潮汐表", "明日の大潮は午後三時です。"))
                .scheduled(),
            scene.campaign("endless", fields: message("x", String(repeating: "x", count: 10_000))),
        ])
    }

    private static func message(_ title: String, _ body: String) -> JSONObject {
        ["notification": ["title": .string(title), "body": .string(body)]]
    }
}

extension Campaign {
    fileprivate func scheduled() throws -> Campaign {
        Campaign(
            id: id,
            about: nil,
            owner: nil,
            target: target,
            audience: nil,
            content: content,
            delivery: delivery,
            schedule: .at(PlanScene.moment(3_600))
        )
    }
}
