import CampaignModel
import State
import StoreConformance
import Testing
import Time

@testable import Applying

/// A fleet of three workers that sends an occurrence, as `herald status` reads it.
enum SampleFleet {
    static let workers = [
        WorkerOverview(
            host: "news-1",
            processID: 4711,
            silence: 1,
            format: 1,
            units: 12,
            sendsPerMinute: 9_600,
            permits: 450
        ),
        WorkerOverview(
            host: "herald-production-7d9f8b6c5-x2v9q.news.example\u{7}",
            processID: 12,
            silence: 9,
            timeline: .awaited,
            format: 2,
            isOfOtherFormat: true,
            units: 4,
            sendsPerMinute: 9_600,
            permits: 450
        ),
        WorkerOverview(
            host: "news-3",
            processID: 4713,
            silence: 3_700,
            isLeaseOver: true,
            format: 1,
            sendsPerMinute: 100
        ),
    ]

    static func occurrence(
        workers: Int = 2,
        isRecalled: Bool = false,
        problem: String? = nil,
        isHeld: Bool = false
    ) throws -> EntrustedOccurrence {
        EntrustedOccurrence(
            id: try StoreFixtures.occurrence("going"),
            tally: StoreFixtures.tally([
                .intended: 62_000, .accepted: 37_900, .rejected: 100, .suppressed: 5_000,
            ]),
            released: 3_200,
            units: EntrustedOccurrence.Units(free: 2, owned: 6, finished: 1),
            workers: workers,
            isRecalled: isRecalled,
            problem: problem,
            isHeld: isHeld
        )
    }

    /// `pause`: of the occurrence.
    static func overview(
        _ entrusted: EntrustedOccurrence,
        workers: [WorkerOverview] = workers,
        doubled: Int = 0,
        pause: Pause? = nil
    ) throws -> StateOverview {
        let unit = WorkUnitRecord(
            id: UnitID(number: 1),
            target: .registrations(ListID(text: "aa")),
            count: entrusted.count,
            released: 0,
            tally: entrusted.tally
        )
        let occurrence = OccurrenceOverview(
            id: entrusted.id,
            phase: .underWay,
            due: PlanScene.moment(-12),
            unit: unit,
            counts: RequestCounts(entrusted),
            repeated: 0,
            entrusted: entrusted
        )
        let sale = try StoreFixtures.occurrence("sale")
        return StateOverview(
            identity: try SampleOverview.make().identity,
            writer: .nobody,
            pauses: pause.map { [$0] } ?? [],
            resolutions: [],
            occurrences: [occurrence],
            settled: SettledOccurrences([]),
            memberships: [],
            deadCount: 0,
            fleet: FleetOverview(
                workers: workers,
                occurrences: [entrusted],
                doubled: doubled > 0 ? [DoubledRequests(occurrence: sale, count: doubled)] : []
            )
        )
    }
}
