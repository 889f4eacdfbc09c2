import CampaignModel
import RunControl
import Service
import State
import Testing
import Time

struct ServiceMetricsTests {
    private static func id() throws -> OccurrenceID {
        OccurrenceID(campaign: try #require(CampaignID("tide")), slot: .once, revision: 1)
    }

    private static func tally(_ counts: [Outcome: Int]) -> OutcomeTally {
        counts.reduce(into: OutcomeTally()) { $0[$1.key] = $1.value }
    }

    @Test func `counts answers while a send is in progress, and the rest at its end`() throws {
        let id = try Self.id()
        var metrics = ServiceMetrics()
        metrics.receive(.began(.sending(id), total: 10))
        metrics.receive(.progressed(by: 6, of: id))
        metrics.receive(.progressed(by: 1, .refused, of: id))
        #expect(metrics.requests == Self.tally([.accepted: 6, .rejected: 1]))
        metrics.receive(.ended(.sending(id)))
        let final = Self.tally([.accepted: 6, .rejected: 1, .suppressed: 2, .intended: 1])
        metrics.receive(
            .sent(
                SendReport(
                    occurrence: id,
                    target: .topic(try #require(Topic("tides"))),
                    tally: final,
                    rejected: [],
                    unknown: []
                )
            )
        )
        #expect(
            metrics.requests == Self.tally([.accepted: 6, .rejected: 1, .suppressed: 2])
        )
    }

    @Test func `counts sends that overlap separately`() throws {
        let ids = try ["tide", "storm"].map {
            OccurrenceID(campaign: try #require(CampaignID($0)), slot: .once, revision: 1)
        }
        var metrics = ServiceMetrics()
        for id in ids { metrics.receive(.began(.sending(id), total: 3)) }
        metrics.receive(.progressed(by: 3, of: ids[0]))
        metrics.receive(.progressed(by: 1, of: ids[1]))
        for id in ids {
            metrics.receive(
                .sent(
                    SendReport(
                        occurrence: id,
                        target: .topic(try #require(Topic("tides"))),
                        tally: Self.tally([.accepted: 3]),
                        rejected: [],
                        unknown: []
                    )
                )
            )
        }
        #expect(metrics.requests == Self.tally([.accepted: 6]))
    }

    @Test func `memberships are no requests`() throws {
        let scope = MembershipScope(
            audience: try #require(AudienceID("anglers")),
            topic: try #require(Topic("tides"))
        )
        var metrics = ServiceMetrics()
        metrics.receive(.began(.joining(scope), total: 5))
        metrics.receive(.progressed(by: 5))
        metrics.receive(.ended(.joining(scope)))
        #expect(metrics.requests == OutcomeTally())
    }

    @Test func `the lag grows from the oldest due time`() {
        let now = Instant(secondsSince1970: 1_800_000_000)
        var metrics = ServiceMetrics()
        #expect(metrics.dueLag(at: now) == 0)
        metrics.looked(
            ServiceMetrics.Outlook(
                scheduled: 1,
                held: 0,
                stopped: 0,
                paused: 0,
                next: nil,
                oldestDue: now.advanced(bySeconds: -90)
            ),
            at: now
        )
        #expect(metrics.dueLag(at: now.advanced(bySeconds: 10)) == 100)
        #expect(metrics.lastLook == now)
    }

    @Test func `a run has a time, and each window a result`() {
        let now = Instant(secondsSince1970: 1_800_000_000)
        var metrics = ServiceMetrics()
        metrics.ended(.complete)
        metrics.ended(.failed)
        metrics.ended(.failed)
        #expect(metrics.windows == [.complete: 1, .failed: 2])
        #expect(metrics.lastRun == nil)
        metrics.ran(at: now)
        #expect(metrics.lastRun == now)
    }
}
