import CampaignModel
import Foundation
import GRDB
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct SQLiteStoreForgettingTests {
    private let folder: StateFolder
    private let store: SQLiteStore
    private let run: RunID
    private let gone: Fingerprint
    private let people: ErasureRequest

    /// Creates a state with a member who also appears in the problems of a run.
    init() async throws {
        folder = try StateFolder()
        try await folder.fill()
        store = try folder.open()
        let scope = try StoreFixtures.scope("all", "news")
        gone = try #require(try await store.memberships(in: scope).first).fingerprint
        people = ErasureRequest(fingerprints: [gone], short: [])
        run = try await store.beginRun(StoreFixtures.worker)
        let problem = RunProblem(kind: .rejected, registration: gone.description, reason: "404")
        let occurrence = try StoreFixtures.occurrence("sale")
        let sending = RunOccurrence(
            occurrence: occurrence,
            tally: OutcomeTally(),
            repeated: 0,
            problems: [problem]
        )
        try await store.record(sending, in: run)
    }

    private func forget() async throws -> ForgetReport {
        try await store.forget(people, in: run) { _ in Fingerprint(high: 0, low: 0) }
    }

    private func members() async throws -> Int {
        try await store.memberships(in: StoreFixtures.scope("all", "news")).count
    }

    private var isUnswept: Bool? {
        get throws {
            try store.queue.read { try Bool.fetchOne($0, sql: "SELECT unswept FROM meta") }
        }
    }

    @Test func `erases every copy of a registration, also of a removed member`() async throws {
        let member = try StoreFixtures.members(7..<8)
        let scope = try StoreFixtures.scope("all", "sport")
        for status in [MembershipStatus.external, .joined, .optedOut] {
            try await store.record(member, as: status, in: scope)
        }
        try await store.finishLeave(StoreFixtures.results(member), in: scope)
        let packed = try folder.packedRegistration(7)
        #expect(try contains(packed))
        let people = ErasureRequest(fingerprints: Set(member.map(\.fingerprint)), short: [])
        // The list of a send contains it, too.
        let fingerprints = Dictionary(
            uniqueKeysWithValues: try StoreFixtures.members(0..<500)
                .map { ($0.registration, $0.fingerprint) }
        )
        let report = try await store.forget(people, in: run) {
            fingerprints[$0] ?? Fingerprint(high: 0, low: 0)
        }
        #expect(report.members == 1)
        #expect(try await store.sweep())
        #expect(try !contains(packed))
        #expect(try await members() == 499)
        try await store.verify()
    }

    private func contains(_ bytes: Data) throws -> Bool {
        try ["", "-wal"].contains { part in
            let file = URL(fileURLWithPath: folder.state + part)
            return try Data(contentsOf: file).range(of: bytes) != nil
        }
    }

    @Test func `erases nothing if a record of a run cannot be changed`() async throws {
        try await store.queue.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON run_sendings
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """
            )
        }
        await #expect(throws: StateStoreError.failed(path: folder.state, reason: "refused")) {
            try await forget()
        }
        #expect(try await members() == 500)
        try await store.queue.write { try $0.execute(sql: "DROP TRIGGER refuse") }
        let report = try await forget()
        #expect(report.members == 1)
        #expect(report.problems == 1)
        #expect(try await members() == 499)
        #expect(try await store.sendings(of: run).map(\.problems) == [[]])
    }

    @Test func `requests that may have been sent stay visible after erasures above the mark`()
        async throws
    {
        let unit = try #require(
            try await store.appliedState().occurrences[StoreFixtures.occurrence("sale")]?.unit
        )
        // As after every run, requests below the mark have an outcome.
        let returned = (64..<100).map { RequestOutcome(index: $0, outcome: .returned) }
        try await store.record(returned, released: nil, of: unit.id)
        let erased = Set(try StoreFixtures.registrations(200..<450))
        let report = try await store.forget(people, in: run) {
            erased.contains($0) ? gone : Fingerprint(high: 0, low: 0)
        }
        #expect(report.suppressed.values.reduce(0, +) == 250)
        let after = try #require(try await store.appliedState().occurrences.values.first?.unit)
        #expect(after.released == 450)
        #expect(after.open == 0)
        // 36 and 100 below the first erased one, 50 above the last.
        #expect(after.tally[.returned] == 136)
        #expect(after.tally[.intended] == 50)
        #expect(after.tally.total == 500)
        let sent = (450..<470).map { RequestOutcome(index: $0, outcome: .intended) }
        try await store.record(sent, released: 470, of: unit.id)
        #expect(try await store.appliedState().occurrences.values.first?.unit?.open == 20)
    }

    @Test
    func `a later writer removes erased content from a log that was being read`() async throws {
        try await store.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA busy_timeout = 1")
        }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder.state, configuration: configuration)
        try await reader.writeWithoutTransaction {
            try $0.execute(sql: "BEGIN; SELECT * FROM meta")
        }
        #expect(try await forget().members == 1)
        #expect(try await store.sweep() == false)
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        #expect(try isUnswept == true)
        await store.unlock()
        try await reader.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        #expect(try isUnswept == false)
        #expect(try await store.sweep())
    }
}
