import CampaignModel
import JSON
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Upstream rules that reply: one that is new, one with another text, one that was removed, and one that stays and has
/// messages to answer.
enum ReplyScene {
    static func plan() async throws -> Plan {
        let scene = try PlanScene()
        let kept = try scene.reply("kept", to: "seen")
        let former = [kept, try scene.reply("help"), try scene.reply("gone", to: "stop")]
        try await scene.remember(scene.plan(upstream: former))
        let rules = [
            try scene.reply("new", to: "win"), kept, try scene.reply("help", saying: "We call you"),
        ]
        let waiting = RequestedReplies(
            OccurrenceID(
                campaign: try #require(kept.replies),
                slot: .reply(to: 7, in: "0123456789abcdef"),
                revision: 1
            ),
            due: PlanScene.now,
            message: [:],
            deduplicationKey: nil,
            list: ListID(text: "aa"),
            registrations: try StoreFixtures.registrations(0..<3)
        )
        return try await scene.plan(
            upstream: rules,
            pending: [.reply(waiting)],
            at: PlanScene.now.advanced(bySeconds: 900)
        )
    }
}
