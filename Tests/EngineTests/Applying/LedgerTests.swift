import CampaignModel
import RegistrationLists
import State
import Testing

@testable import Applying

struct LedgerTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func serial() throws -> Int64 {
        Int64(try scene.store.appliedState().identity.serial.number)
    }

    private var ledger: Ledger { Ledger(store: scene.store, fingerprinter: scene.fingerprinter) }

    @Test func `marks only released requests without an outcome as unknown`() throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
        let unit = try scene.begin(campaign)
        try scene.record([.accepted, .intended, .returned, .intended], of: unit)
        let reports = try ledger.settleAfterCrash(by: StoreFixtures.worker)
        #expect(
            try scene.store.outcomes(of: unit.id, in: 0..<5)
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
        #expect(try ledger.settleAfterCrash(by: StoreFixtures.worker) == [])
    }

    @Test func `resolves in a separate run, and writes nothing if nothing is open`() throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2)))
        let unit = try scene.begin(campaign)
        try scene.record([.accepted, .returned], of: unit)
        let before = try serial()
        #expect(try ledger.settleAfterCrash(by: StoreFixtures.worker) == [])
        #expect(try serial() == before)
        try scene.record([.intended, .intended, .intended], of: unit)
        #expect(try ledger.settleAfterCrash(by: StoreFixtures.worker).count == 1)
        #expect(try serial() == before + 1)
    }

    @Test func `leaves occurrences alone that are not in progress`() throws {
        try scene.remember(
            scene.plan([scene.campaign("later", schedule: .at(PlanScene.moment(60)))])
        )
        let unit = try scene.begin(scene.campaign())
        try scene.record([.intended], of: unit)
        try scene.store.close(scene.id("sale"), as: .finished)
        #expect(try ledger.settleAfterCrash(by: StoreFixtures.worker) == [])
        #expect(try scene.store.outcomes(of: unit.id, in: 0..<1) == [.intended])
    }

    @Test func `works across the blocks of a long list`() throws {
        let unit = try StoreFixtures.openedUnit(scene.store, count: 10_000)
        let outcomes = (0..<9_000).map { RequestOutcome(index: $0, outcome: .accepted) }
        try scene.store.record(outcomes, released: 9_100, of: unit.id)
        try scene.store.record(
            [4_095, 4_096].map { RequestOutcome(index: $0, outcome: .returned) },
            released: nil,
            of: unit.id
        )
        let reports = try ledger.settleAfterCrash(by: StoreFixtures.worker)
        #expect(reports.map(\.tally[.unknown]) == [100])
        let settled = try StoreFixtures.unit(of: "sale", in: scene.store)
        #expect(
            try ledger.intended(of: settled) == RequestRanges([4_095..<4_097, 9_100..<10_000])
        )
    }

    @Test func `released requests without an outcome may not be sent, resolved or not`() throws {
        let unit = try StoreFixtures.openedUnit(scene.store, count: 6)
        try scene.record([.accepted, .intended, .returned, .intended], of: unit)
        let open = try StoreFixtures.unit(of: "sale", in: scene.store)
        #expect(try ledger.intended(of: open) == RequestRanges([2..<3, 4..<6]))
    }

    @Test func `names at most a thousand requests of each kind`() throws {
        let unit = try StoreFixtures.openedUnit(scene.store, count: 3_000)
        try scene.store.record([], released: 3_000, of: unit.id)
        let report = try #require(ledger.settleAfterCrash(by: StoreFixtures.worker).first)
        #expect(report.tally[.unknown] == 3_000)
        #expect(report.unknown.count == 1_000)
    }
}

// MARK: - Reports of a run

extension LedgerTests {
    @Test func `a report contains only the changes of its run, anywhere in the list`() throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
        let opened = try scene.begin(campaign)
        try scene.record([.returned, .rejected, .unknown, .accepted], of: opened)
        let unit = try #require(try scene.record().unit)
        let requests = try ledger.intended(of: unit)
        try scene.store.record(
            [
                RequestOutcome(index: 0, outcome: .rejected, detail: "UNREGISTERED"),
                RequestOutcome(index: 4, outcome: .accepted),
            ],
            released: 5,
            of: unit.id
        )
        let report = try ledger.report(on: scene.id("sale"), unit, of: requests)
        #expect(report.tally == StoreFixtures.tally([.rejected: 1, .accepted: 1]))
        #expect(
            try report.rejected == [
                SendProblem(fingerprint: scene.fingerprints(0)[0], reason: "UNREGISTERED")
            ]
        )
        #expect(report.unknown == [])
    }

    @Test func `a thousand earlier problems hide no new one`() throws {
        let opened = try StoreFixtures.openedUnit(scene.store, count: 1_500)
        let earlier = (0..<1_200).map {
            RequestOutcome(index: $0, outcome: .unknown, detail: "503")
        }
        try scene.store.record(earlier, released: 1_200, of: opened.id)
        let unit = try StoreFixtures.unit(of: "sale", in: scene.store)
        let requests = try ledger.intended(of: unit)
        let late = RequestOutcome(index: 1_200, outcome: .unknown, detail: "timed out")
        try scene.store.record([late], released: 1_201, of: unit.id)
        let report = try ledger.report(on: scene.id("sale"), unit, of: requests)
        #expect(report.tally[.unknown] == 1)
        #expect(report.unknown.map(\.reason) == ["timed out"])
        #expect(report.tally[.intended] == 299)
    }
}
