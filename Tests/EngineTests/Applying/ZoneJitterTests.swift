import CampaignMessages
import CampaignModel
import JSON
import Planning
import RunControl
import Scheduling
import State
import StoreConformance
import Testing
import Time

@testable import Applying

/// A rule whose jitter is longer than the time between its slots, in several zones.
@Suite(.timeLimit(.minutes(5)))
struct ZoneJitterTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    /// The clocks of both zones show UTC.
    private func sale() throws -> Campaign {
        let cron = "0,5,10 12 * * *"
        return Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .registrations(try ZonedScene(scene).list(["Africa/Abidjan", "UTC"])),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: .unspecified,
            schedule: .repeating(
                RepeatingSchedule(
                    text: cron,
                    pattern: .cron(try CronSchedule(parsing: cron)),
                    zone: "UTC",
                    from: nil,
                    until: nil
                )
            ),
            division: .perZone,
            timeliness: LatePolicy(
                late: nil,
                lateAfter: 600,
                until: nil,
                reasonInQuietHours: nil,
                jitter: 2_700
            )
        )
    }

    /// Applies the campaign and returns the numbers of the rows that got a message.
    private func apply(at utc: String) async throws -> [Int] {
        let now = try #require(Instant(rfc3339: utc))
        let plan = try await scene.plan([sale()], at: now)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport, clock: .fixed(now))
        #expect(report.error == nil)
        let sent = Set(transport.seen.compactMap(\.token))
        #expect(sent.count == transport.seen.count)
        return [0, 1].filter { sent.isSuperset(of: scene.tokens([$0])) }
    }

    /// Python computes the due times: in Abidjan, 12:33:10, 12:43:29 and 12:38:09, and in UTC,
    /// 12:18:26, 12:24:55 and 12:11:56.
    @Test func `a zone keeps the slots that are due after a later slot of another zone`()
        async throws
    {
        #expect(try await apply(at: "2027-08-16T08:00:00Z") == [])
        let dues = [
            ("12:11:56", 1), ("12:18:26", 1), ("12:24:55", 1),
            ("12:33:10", 0), ("12:38:09", 0), ("12:43:29", 0),
        ]
        for (due, row) in dues {
            #expect(try await apply(at: "2027-08-16T\(due)Z") == [row])
            #expect(try await apply(at: "2027-08-16T\(due)Z") == [])
        }
        let records = try await scene.store.appliedState().occurrences.values
        #expect(records.filter { $0.status == .finished }.count == 6)
        #expect(records.filter { $0.status == .expired }.isEmpty)
    }
}
