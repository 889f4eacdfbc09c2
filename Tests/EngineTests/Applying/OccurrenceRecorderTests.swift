import CampaignModel
import RegistrationLists
import State
import StoreConformance
import Testing

@testable import Applying
@testable import RunControl
@testable import Sending

struct OccurrenceRecorderTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func serial() async throws -> Int64 {
        Int64(try await scene.store.appliedState().identity.serial.number)
    }

    private var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: scene.store, fingerprinter: scene.fingerprinter)
    }

    @Test func `marks only released requests without an outcome as unknown`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .intended, .returned, .intended], of: unit)
        let reports = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(
            try await scene.store.outcomes(of: unit.id, in: 0..<5)
                == [.accepted, .unknown, .returned, .unknown, .intended]
        )
        try #require(reports.count == 1)
        #expect(
            reports[0].tally
                == StoreFixtures.tally([.unknown: 2, .returned: 1, .intended: 1])
        )
        #expect(
            try reports[0].unknown
                == scene.fingerprints(1, 3).map { SendProblem(fingerprint: $0, reason: "cut off") }
        )
        #expect(try await recorder.settleAfterCrash(by: StoreFixtures.worker) == [])
    }

    @Test func `resolves in a separate run, and writes nothing if nothing is open`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2)))
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .returned], of: unit)
        let before = try await serial()
        #expect(try await recorder.settleAfterCrash(by: StoreFixtures.worker) == [])
        #expect(try await serial() == before)
        try await scene.record([.intended, .intended, .intended], of: unit)
        #expect(try await recorder.settleAfterCrash(by: StoreFixtures.worker).count == 1)
        #expect(try await serial() == before + 1)
    }

    @Test func `does not change occurrences that are not in progress`() async throws {
        try await scene.remember(
            scene.plan([scene.campaign("later", schedule: .at(PlanScene.moment(60)))])
        )
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.intended], of: unit)
        try await scene.store.close(scene.id("sale"), as: .finished)
        #expect(try await recorder.settleAfterCrash(by: StoreFixtures.worker) == [])
        #expect(try await scene.store.outcomes(of: unit.id, in: 0..<1) == [.intended])
    }

    @Test func `works across the blocks of a long list`() async throws {
        let unit = try await StoreFixtures.openedUnit(scene.store, count: 10_000)
        let outcomes = (0..<9_000).map { RequestOutcome(index: $0, outcome: .accepted) }
        try await scene.store.record(outcomes, released: 9_100, of: unit.id)
        try await scene.store.record(
            [4_095, 4_096].map { RequestOutcome(index: $0, outcome: .returned) },
            released: nil,
            of: unit.id
        )
        let reports = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(reports.map(\.tally[.unknown]) == [100])
        let settled = try await StoreFixtures.unit(of: "sale", in: scene.store)
        #expect(
            try await recorder.intended(of: settled)
                == RequestRanges([4_095..<4_097, 9_100..<10_000])
        )
    }

    @Test func `a released request without an outcome may not be sent again`()
        async throws
    {
        let unit = try await StoreFixtures.openedUnit(scene.store, count: 6)
        try await scene.record([.accepted, .intended, .returned, .intended], of: unit)
        let open = try await StoreFixtures.unit(of: "sale", in: scene.store)
        #expect(try await recorder.intended(of: open) == RequestRanges([2..<3, 4..<6]))
    }

    @Test func `a killed run's history names the requests that it repeated`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3)))
        let unit = try await scene.begin(campaign)
        try await scene.store.record(
            [
                RequestOutcome(index: 0, outcome: .accepted),
                RequestOutcome(index: 1, outcome: .accepted, detail: "repeated after 503"),
                RequestOutcome(index: 2, outcome: .unknown, detail: "500, repeated after 503"),
            ],
            released: 4,
            of: unit.id
        )
        let run = try #require(try await scene.store.runs(limit: 1).first)
        _ = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        let sendings = try await scene.store.sendings(of: scene.id("sale"))
        let sending = try #require(sendings.first { $0.0 == run.id }?.1)
        #expect(sending.repeated == 2)
        #expect(
            try sending.problems
                == zip(
                    scene.fingerprints(1, 2),
                    ["repeated after 503", "500, repeated after 503"]
                ).map {
                    RunProblem(kind: .repeated, registration: $0.description, reason: $1)
                }
        )
    }

    @Test func `names at most a thousand requests of each kind`() async throws {
        let unit = try await StoreFixtures.openedUnit(scene.store, count: 3_000)
        try await scene.store.record([], released: 3_000, of: unit.id)
        let report = try #require(
            try await recorder.settleAfterCrash(by: StoreFixtures.worker).first
        )
        #expect(report.tally[.unknown] == 3_000)
        #expect(report.unknown.count == 1_000)
    }
}

// MARK: - Reports of a run

extension OccurrenceRecorderTests {
    @Test func `a report contains only the changes of its run, anywhere in the list`() async throws
    {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
        let opened = try await scene.begin(campaign)
        try await scene.record([.returned, .rejected, .unknown, .accepted], of: opened)
        let unit = try #require(try await scene.record().unit)
        let requests = try await recorder.intended(of: unit)
        try await scene.store.record(
            [
                RequestOutcome(index: 0, outcome: .rejected, detail: "UNREGISTERED"),
                RequestOutcome(index: 4, outcome: .accepted),
            ],
            released: 5,
            of: unit.id
        )
        let report = try await recorder.report(on: scene.id("sale"), unit: unit, of: requests)
        #expect(report.tally == StoreFixtures.tally([.rejected: 1, .accepted: 1]))
        #expect(
            try report.rejected == [
                SendProblem(fingerprint: scene.fingerprints(0)[0], reason: "UNREGISTERED")
            ]
        )
        #expect(report.unknown == [])
    }

    @Test func `new problems are reported after a thousand earlier ones`() async throws {
        let opened = try await StoreFixtures.openedUnit(scene.store, count: 1_500)
        let earlier = (0..<1_200).map {
            RequestOutcome(index: $0, outcome: .unknown, detail: "503")
        }
        try await scene.store.record(earlier, released: 1_200, of: opened.id)
        let unit = try await StoreFixtures.unit(of: "sale", in: scene.store)
        let requests = try await recorder.intended(of: unit)
        let late = RequestOutcome(index: 1_200, outcome: .unknown, detail: "timed out")
        try await scene.store.record([late], released: 1_201, of: unit.id)
        let report = try await recorder.report(on: scene.id("sale"), unit: unit, of: requests)
        #expect(report.tally[.unknown] == 1)
        #expect(report.unknown.map(\.reason) == ["timed out"])
        #expect(report.tally[.intended] == 299)
    }
}
