import CampaignModel
import JSON
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

/// Erases registrations of a list whose outcomes are in several blocks.
struct BlockErasureTests {
    @Test func `erases registrations from a file`() async throws {
        let folder = try StateFolder()
        try await erase(from: folder.open())
    }

    @Test func `erases registrations from a server`() async throws {
        try await erase(from: PostgresScene().open())
    }

    private func erase(from store: any TableStore) async throws {
        let all = try StoreFixtures.registrations(0..<4_100)
        let (unit, run) = try await opened(store, all)
        let gone = Fingerprint(high: 7, low: 7)
        let erased = Set([10, 3_999, 4_000, 4_060].map { all[$0] })
        let report = try await store.forget(
            ErasureRequest(fingerprints: [gone], short: []),
            in: run
        ) { erased.contains($0) ? gone : Fingerprint(high: 0, low: 0) }
        #expect(report.places == 4)
        #expect(report.suppressed.values.map { $0 } == [2])
        #expect(report.dropped.values.map { $0 } == [1])
        let outcomes = try await store.outcomes(of: unit, in: 0..<4_100)
        #expect(
            [9, 10, 3_999, 4_000, 4_059, 4_060, 4_061].map { outcomes[$0] } == [
                .returned, .suppressed, .cancelled, .accepted, .returned, .suppressed, .intended,
            ]
        )
        let forgotten = OutcomeDetail.forgotten
        #expect(
            try await store.details(of: unit, in: 0..<4_100)
                == [10: forgotten, 3_999: forgotten, 4_060: forgotten]
        )
    }

    /// Requests below the mark have an outcome, as after every run.
    private func opened(
        _ store: any TableStore,
        _ registrations: [Registration]
    ) async throws -> (UnitID, RunID) {
        let list = ListID(text: String(repeating: "5a", count: 32))
        try await store.store(registrations, as: list)
        let run = try await store.beginRun(StoreFixtures.worker)
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: StoreFixtures.due,
            message: [:],
            target: .registrations(list),
            count: registrations.count
        )
        let unit = try await store.open(opened, in: run).id
        let outcomes = (0..<4_050).map { number -> RequestOutcome in
            switch number {
            case 3_999: RequestOutcome(index: number, outcome: .unknown)
            case 4_000: RequestOutcome(index: number, outcome: .accepted)
            default: RequestOutcome(index: number, outcome: .returned)
            }
        }
        try await store.record(outcomes, released: 4_050, of: unit)
        return (unit, run)
    }
}
