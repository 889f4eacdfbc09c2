import CampaignModel
import Planning
import State
import StoreConformance
import Testing
import Time

@testable import Applying
@testable import Memberships
@testable import RunControl

@Suite(.timeLimit(.minutes(5)))
struct ApplyShortfallTests {
    private func refused(_ reasons: String...) -> [SendProblem] {
        reasons.map { SendProblem(fingerprint: nil, reason: $0) }
    }

    @Test func `nothing is missing after a complete apply, even if some registrations are dead`() {
        var report = ApplyReport()
        #expect(report.shortfall == nil)
        report.memberships.joined = 1
        report.memberships.refused = refused("NOT_FOUND")
        #expect(report.shortfall == nil)
    }

    @Test(arguments: [0, 1]) func `names refused joins and the command that retries them`(
        joined: Int
    ) {
        var report = ApplyReport()
        report.memberships.joined = joined
        report.memberships.refused = refused("NOT_FOUND", "INVALID_ARGUMENT")
        #expect(
            report.shortfall == "not everything was done; refused joins: 2 "
                + "(`herald registrations retry` tries them again)"
        )
    }

    @Test func `counts expired, skipped, missed and paused sends`() throws {
        var report = ApplyReport()
        report.expired = [try StoreFixtures.occurrence("a")]
        report.skipped = [try StoreFixtures.occurrence("b")]
        report.missedSlots = 6
        report.paused = [
            PausedSend(occurrence: try StoreFixtures.occurrence("c"), scope: .everything)
        ]
        #expect(
            report.shortfall == "not everything was done; expired sends: 1 (a later time or a "
                + "higher `revision` sends one); late sends skipped: 7 (`late` in `schedule` "
                + "decides about them); paused sends: 1 (`herald resume` lifts the pause)"
        )
    }

    @Test func `a deferred send is not a shortfall, and the history names it`() throws {
        var report = ApplyReport()
        let end = try #require(Instant(rfc3339: "2027-01-16T07:04:26Z"))
        report.deferred = [
            DeferredSend(occurrence: try StoreFixtures.occurrence("sale"), until: end)
        ]
        #expect(report.shortfall == nil)
        #expect(
            report.remark == "deferred by quiet hours: sale/once/1 until 2027-01-16T07:04:26Z"
        )
        report.expired = [try StoreFixtures.occurrence("late")]
        report.deferred = try ["a", "b", "c", "d", "e"].map {
            DeferredSend(occurrence: try StoreFixtures.occurrence($0), until: end)
        }
        let time = "until 2027-01-16T07:04:26Z"
        #expect(
            report.remark == "not everything was done; expired sends: 1 (a later time or a "
                + "higher `revision` sends one); deferred by quiet hours: a/once/1 \(time), "
                + "b/once/1 \(time), c/once/1 \(time), 2 more"
        )
    }

    private func step(_ scopes: PauseScope?...) throws -> String? {
        var report = ApplyReport()
        report.paused = try scopes.map { scope in
            PausedSend(occurrence: try StoreFixtures.occurrence("c"), scope: scope)
        }
        let head = "not everything was done; paused sends: \(scopes.count) ("
        return report.shortfall.map { $0.replacing(head, with: "") }
    }

    @Test func `names the commands that lift the pauses`() throws {
        let campaigns = try ["a", "b", "c", "d", "e"].map { name in
            PauseScope.campaign(try #require(CampaignID(name)))
        }
        #expect(try step(campaigns[0], campaigns[0]) == "`herald resume a` lifts the pause)")
        #expect(
            try step(campaigns[0], .everything)
                == "`herald resume a` and `herald resume` lift the pauses)"
        )
        #expect(
            try step(campaigns[0], campaigns[1], campaigns[2], campaigns[3], campaigns[4])
                == "`herald resume a`, `herald resume b`, `herald resume c` and 2 more lift the "
                + "pauses)"
        )
        #expect(try step(nil) == "the next apply sends them)")
    }

    @Test func `the run records what it did not do`() async throws {
        let scene = try PlanScene()
        let late = try scene.campaign(schedule: .at(PlanScene.moment(-3_600)))
        let transport = ScriptedTransport { _ in .accepted }
        let report = await scene.apply(try await scene.plan([late]), to: transport)
        #expect(report.expired.count == 1)
        let run = try #require(try await scene.store.runs(limit: 1).first)
        #expect(run.status == .complete)
        #expect(run.cause == report.shortfall)
        #expect(run.cause?.contains("expired sends: 1") == true)
        let again = await scene.apply(try await scene.plan([late]), to: transport)
        #expect(again.shortfall == nil)
        #expect(try await scene.store.runs(limit: 1).first?.cause == nil)
    }
}
