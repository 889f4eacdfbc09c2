import CampaignModel
import JSON
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Corrections: of a list that is partly sent, of a topic, of a message for one platform, of one that has expired,
/// and of one that was not sent.
struct CorrectionScene {
    private let scene: PlanScene

    private init() throws {
        scene = try PlanScene()
    }

    static func plan() async throws -> Plan {
        let made = try CorrectionScene()
        let campaigns = try made.campaigns()
        for campaign in campaigns.dropLast() {
            let unit = try await made.scene.begin(campaign)
            let outcomes: [Outcome] =
                unit.target.isFanOut ? [.accepted] : [.accepted, .rejected, .unknown, .accepted]
            try await made.scene.record(outcomes, of: unit)
            if unit.target.isFanOut {
                let id = try made.scene.id(campaign.id.rawValue)
                try await made.scene.store.close(id, as: .finished)
            }
        }
        try await made.scene.remember(made.scene.plan(campaigns))
        try await made.scene.store.markDead(made.scene.fingerprints(3), at: PlanScene.now)
        return try await made.scene.plan(
            campaigns,
            corrections: made.corrections(),
            topics: [made.scene.topic(): TopicDescription(about: nil, reach: 12_000)],
            at: PlanScene.now.advanced(bySeconds: 900)
        )
    }

    private func campaigns() throws -> [Campaign] {
        [
            try scene.campaign("sale", to: .registrations(scene.inline(0, 1, 2, 3, 4, 5))),
            try scene.campaign("storm"),
            try scene.campaign("gate", fields: ["apns": ["payload": ["aps": ["alert": "Gate 4"]]]]),
            try scene.campaign(
                "flash",
                fields: ["notification": ["title": "One minute"]],
                delivery: Delivery(
                    timeToLive: TimeToLive(seconds: 60),
                    expires: nil,
                    priority: nil,
                    collapse: nil
                )
            ),
            try scene.campaign("later", schedule: .at(PlanScene.moment(7_200))),
        ]
    }

    private func corrections() throws -> [Correction] {
        try ["sale", "storm", "gate/once/1", "flash", "later"].enumerated().map { place, name in
            try scene.correction(of: name, named: "fix-\(place + 1)")
        }
    }
}
