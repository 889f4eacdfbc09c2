import CampaignModel
import FCMWire
import Foundation
import JSON
import State
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

/// Tests the file with message IDs next to the state.
struct MessageIDFileTests {
    private let folder: StateFolder
    private let store: SQLiteStore
    private let unit: UnitID
    private let path: String

    init() async throws {
        folder = try StateFolder()
        store = try folder.open()
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            due: StoreFixtures.due,
            message: [:],
            target: .topic(try #require(Topic("news"))),
            count: 10_000,
            keepsIDs: true
        )
        unit = try await store.open(opened, in: try await store.beginRun(StoreFixtures.worker)).id
        path = folder.path + "/made/here/dev.ids/\(unit.number)"
    }

    private func record(_ range: Range<Int>) async throws {
        let outcomes = range.map { number in
            RequestOutcome(index: number, outcome: .accepted, messageID: id(number))
        }
        try await store.record(outcomes, released: range.upperBound, of: unit)
    }

    private func id(_ number: Int) -> String { "projects/shop/messages/0:\(100_000 + number)" }

    private func ids() async throws(StateStoreError) -> [String] {
        try await store.messageIDs(of: unit, from: 0, count: 10_000).map(\.id)
    }

    private func content() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    private func write(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: path)) }

    private func expectDamaged(_ reason: String) async {
        do {
            _ = try await ids()
            Issue.record("a broken file was read")
        } catch {
            #expect(error == .damagedIDs(path: path, reason: reason))
        }
    }

    @Test func `is a private file next to the state and stores the common prefix once`()
        async throws
    {
        try await record(0..<1_000)
        #expect(try folder.mode(of: path) == 0o600)
        #expect(try folder.mode(of: folder.path + "/made/here/dev.ids") == 0o700)
        // A line of 24 bytes, a header of 8 bytes, and per message one byte of distance, one of
        // length and "0:100000".
        #expect(try content().count == 24 + 8 + 1_000 * 10)
        #expect(try content().prefix(24) == Data("projects/shop/messages/\n".utf8))
        #expect(try await ids() == (0..<1_000).map(id))
    }

    @Test func `removes uncommitted bytes that a crash left`() async throws {
        try await record(0..<3)
        try write(try content() + Data("left by a crash, longer than the next".utf8))
        #expect(try await ids() == (0..<3).map(id))
        try await record(3..<4)
        #expect(try await ids() == (0..<4).map(id))
        #expect(try content().count == 24 + 8 + 3 * 10 + 8 + 10)
    }

    @Test func `starts over with a file that was never committed`() async throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try write(Data("projects/other/messages/\nsome".utf8))
        #expect(try await ids().isEmpty)
        try await record(0..<2)
        #expect(try await ids() == (0..<2).map(id))
    }

    @Test func `a missing file is damage only for its reader`() async throws {
        try await record(0..<3)
        try FileManager.default.removeItem(atPath: path)
        try await record(3..<5)
        #expect(try await store.outcomes(of: unit, in: 0..<5).allSatisfy { $0 == .accepted })
        await expectDamaged("it is missing")
    }

    @Test(arguments: [0, 10, 24, 30, 40, 61])
    func `a truncated file is damage only for its reader`(size: Int) async throws {
        try await record(0..<3)
        let whole = try content()
        try write(whole.prefix(size))
        await expectDamaged("it is incomplete")
        try await record(3..<5)
        #expect(try content() == whole.prefix(size))
        #expect(try await store.outcomes(of: unit, in: 0..<5).allSatisfy { $0 == .accepted })
        await expectDamaged("it is incomplete")
    }

    @Test func `detects every flipped bit of the IDs`() async throws {
        try await record(0..<3)
        let whole = try content()
        for position in 24..<whole.count {
            for bit in 0..<8 {
                var bytes = whole
                bytes[position] ^= 1 << UInt8(bit)
                try write(bytes)
                await expectDamaged("it is incomplete")
            }
        }
    }

    @Test func `records outcomes even if only the IDs cannot be stored`() async throws {
        try await record(0..<3)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        await #expect(throws: StateStoreError.self) { try await record(3..<5) }
        #expect(try await store.outcomes(of: unit, in: 0..<5).allSatisfy { $0 == .accepted })
        let id = try StoreFixtures.occurrence("sale")
        #expect(try await store.appliedState().occurrences[id]?.unit?.tally[.accepted] == 5)
    }
}
