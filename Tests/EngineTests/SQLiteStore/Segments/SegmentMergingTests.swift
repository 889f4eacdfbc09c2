import CampaignModel
import Foundation
import GRDB
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct SegmentMergingTests {
    private let folder: StateFolder
    private let store: SQLiteStore

    init() throws {
        folder = try StateFolder()
        store = try folder.open()
    }

    private var scope: MembershipScope {
        get throws { try StoreFixtures.scope("all", "news") }
    }

    /// The levels of the segments, the oldest first.
    private var levels: [Int] {
        get throws {
            try store.queue.read {
                try Int.fetchAll($0, sql: "SELECT level FROM membership_segments ORDER BY id")
            }
        }
    }

    private func count(_ table: String) throws -> Int {
        try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    private func statuses() async throws -> [MembershipStatus: Int] {
        try await store.memberships(in: scope).reduce(into: [:]) {
            $0[$1.status, default: 0] += 1
        }
    }

    /// Lets a full merge move an eighth of the fingerprints at a time.
    private func enlarge() throws {
        try store.queue.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    UPDATE membership_segments
                    SET count = 1000000 / (SELECT count(*) FROM membership_segments)
                    """
            )
        }
    }

    private func mergePart() throws {
        let sealer = store.sealer
        try store.queue.writeWithoutTransaction { db in
            try db.immediately { db in
                let scope = try Int64.fetchOne(db, sql: "SELECT id FROM scopes") ?? 0
                let session = store.session(db)
                try SegmentTables(db: session, sealer: sealer).mergePart(of: scope)
            }
        }
    }

    @Test func `many small changes become one segment`() async throws {
        let members = try StoreFixtures.members(0..<172)
        for member in members { try await store.record([member], as: .joined, in: scope) }
        #expect(try levels == [1] + Array(repeating: 0, count: 44))
        #expect(try await statuses() == [.joined: 172])
        #expect(try await store.members(members.map(\.fingerprint), in: scope) == members)
    }

    @Test func `replaced registrations are erased when their records are merged`() async throws {
        let member = try StoreFixtures.members(7..<8)
        for _ in 0..<128 { try await store.record(member, as: .joined, in: scope) }
        #expect(try levels == [1])
        #expect(try count("registration_pages") == 1)
        try await store.finishLeave(StoreFixtures.results(member), in: scope)
        for _ in 0..<127 {
            try await store.finishJoin(StoreFixtures.results(member), in: scope)
        }
        // The registration stays until a full merge, because its record is in the older segment.
        #expect(try levels == [1, 1])
        try mergePart()
        #expect(try levels == [])
        #expect(try count("registration_pages") == 0)
    }

    @Test func `a full merge proceeds in parts and changes no member`() async throws {
        let members = try StoreFixtures.members(0..<500)
        try await store.beginJoin(members, in: scope)
        try await store.finishJoin(StoreFixtures.results(members[..<400]), in: scope)
        try await store.finishLeave(StoreFixtures.results(members[..<100]), in: scope)
        let before = try await store.recordedMembers(in: scope, after: nil, limit: .max)
        try enlarge()
        for part in 1...16 {
            try mergePart()
            #expect(try levels == (part < 16 ? [1, 1, 1, 3] : [2]))
            #expect(
                try await store.recordedMembers(in: scope, after: nil, limit: .max) == before
            )
            #expect(try await statuses() == [.joined: 300, .joining: 100])
        }
        try await store.verify()
        let pages = try count("registration_pages")
        #expect((2...16).contains(pages))
    }

    @Test func `changes during a full merge are kept`() async throws {
        let members = try StoreFixtures.members(0..<500)
        try await store.beginJoin(members, in: scope)
        try enlarge()
        for part in 0..<16 {
            try mergePart()
            let some = members[part * 25..<part * 25 + 25]
            try await store.finishJoin(StoreFixtures.results(some), in: scope)
            _ = try await store.beginLeave([some[part * 25].fingerprint], in: scope)
        }
        #expect(try await statuses() == [.joining: 100, .joined: 384, .leaving: 16])
        #expect(try await store.members(members.map(\.fingerprint), in: scope) == members)
        try await store.verify()
    }

    @Test func `an erasure completes a full merge first`() async throws {
        let members = try StoreFixtures.members(0..<500)
        try await store.beginJoin(members, in: scope)
        try enlarge()
        for _ in 0..<5 { try mergePart() }
        let run = try await store.beginRun(StoreFixtures.worker)
        let erased = members[..<20].map(\.fingerprint)
        let people = ErasureRequest(fingerprints: Set(erased), short: [])
        let report = try await store.forget(people, in: run) { _ in Fingerprint(high: 0, low: 0) }
        #expect(report.members == 20)
        #expect(report.found == Set(erased.map(\.high)))
        #expect(try levels == [2])
        #expect(try await store.sweep())
        let state = try Data(contentsOf: URL(fileURLWithPath: folder.state))
        for number in 0..<20 {
            #expect(try state.range(of: folder.packedRegistration(number)) == nil)
        }
        #expect(try await statuses() == [.joining: 480])
        try await store.verify()
    }

    @Test func `nothing is left of a scope without members at the end of a run`() async throws {
        let members = try StoreFixtures.members(0..<20)
        let run = try await store.beginRun(StoreFixtures.worker)
        try await store.beginJoin(members, in: scope)
        try await store.finishLeave(StoreFixtures.results(members), in: scope)
        #expect(try count("registration_pages") == 1)
        try await store.finishRun(
            run,
            as: RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
        )
        #expect(try levels == [])
        #expect(try count("registration_pages") == 0)
        #expect(try await store.membershipOverview().summaries == [])
    }
}
