import CampaignModel
import Memberships
import Presentation
import State
import StoreConformance
import Testing

@testable import Applying
@testable import RunControl

struct ShortfallWordingTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func line(
        _ report: ApplyReport?,
        after cutOff: [SendReport] = [],
        _ campaigns: Campaign...
    ) async throws -> String {
        let hint = CommandHint(for: try #require(EnvironmentID("dev")))
        let plan = try await scene.plan(campaigns)
        return ShortfallWording(hint: hint).line(report, of: plan, after: cutOff)
    }

    private func send(
        _ counts: [Outcome: Int],
        hasOtherRejections: Bool = false
    ) throws
        -> SendReport
    {
        var report = SendReport(
            occurrence: try scene.id("sale"),
            target: .topic(try scene.topic()),
            tally: StoreFixtures.tally(counts),
            rejected: [],
            unknown: []
        )
        report.hasOtherRejections = hasOtherRejections
        return report
    }

    private func text(_ causes: String) -> String {
        "Not everything was done: \(causes). Details: `herald status -e dev`.\n"
    }

    @Test func `a plan with only a paused send names the command that lifts its pause`()
        async throws
    {
        let campaign = try scene.campaign()
        _ = try await scene.store.pause(
            Pause(scope: .campaign(campaign.id), since: PlanScene.now, user: "ada", host: "desk")
        )
        #expect(
            try await line(nil, campaign)
                == text("1 paused send (lift the pause with `herald resume sale -e dev`)")
        )
    }

    @Test func `counts what is missing`() async throws {
        var report = ApplyReport()
        report.paused = [PausedSend(occurrence: try scene.id("a"), scope: nil)]
        report.pausedMemberships = [try StoreFixtures.scope("all", "news")]
        report.expired = [try scene.id("b")]
        report.missedSlots = 2
        report.sends = [try send([.unknown: 3])]
        report.memberships.refusedLeaves = [SendProblem(fingerprint: nil, reason: "x")]
        #expect(
            try await line(report)
                == text(
                    "3 requests with an unknown outcome, 1 paused send, 1 paused membership (lift "
                        + "the pause with `herald resume -e dev`), 3 late sends, 1 refused leave"
                )
        )
    }

    @Test func `counts an unknown request of an earlier run once`() async throws {
        let list = RegistrationList.inline(try [scene.registration(0), scene.registration(1)])
        let campaign = try scene.campaign(to: .registrations(list))
        try await scene.record([.unknown], of: scene.begin(campaign))
        var report = ApplyReport()
        report.sends = [try send([.unknown: 1])]
        #expect(
            try await line(report, after: [send([.unknown: 1])], campaign)
                == text("2 requests with an unknown outcome")
        )
    }

    @Test func `names rejections if nothing else is missing`() async throws {
        var report = ApplyReport()
        report.sends = [try send([.accepted: 1, .rejected: 2], hasOtherRejections: true)]
        #expect(try await line(report) == text("2 rejected requests"))
        report.sends = [try send([.rejected: 1, .suppressed: 1])]
        #expect(try await line(report) == text("1 send without a live recipient"))
        report.skipped = [try scene.id("b")]
        #expect(try await line(report) == text("1 late send"))
    }
}
