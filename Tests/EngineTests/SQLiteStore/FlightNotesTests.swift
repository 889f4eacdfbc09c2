import CampaignModel
import Foundation
import JSON
import SQLiteStore
import State
import StoreConformance
import StoreTables
import Testing

/// Tests the notes about requests in flight, and when they count for nothing.
struct FlightNotesTests {
    private let folder: StateFolder
    private let store: SQLiteStore
    private let unit: WorkUnitRecord
    private let notes: any FlightNotes

    init() async throws {
        folder = try StateFolder()
        store = try folder.open()
        unit = try await StoreFixtures.openedUnit(store, count: 4_000)
        notes = try #require(try await store.beginFlightNotes(of: unit.id, room: 10))
        try await store.record([], released: 2_000, of: unit.id)
    }

    private var place: String { folder.state + ".flight" }
    private var path: String { "\(place)/\(unit.id.number)" }

    private func records() async throws -> [Int: FlightRecord]? {
        try await store.flightRecords(of: unit.id)
    }

    /// Opens a unit of four requests in the same run.
    private func otherUnit(of campaign: String = "other") async throws -> WorkUnitRecord {
        let run = try #require(try await store.runs(limit: 1).first)
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence(campaign),
            due: StoreFixtures.due,
            message: ["topic": "news"],
            target: .topic(try #require(Topic("news"))),
            count: 4
        )
        return try await store.open(opened, in: run.id)
    }

    /// Changes bytes of the file as another process or a kill would.
    private func write(_ bytes: [UInt8], at offset: UInt64) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    @Test func `shows the latest event of each request that was written`() async throws {
        let body = Array(#"{"name":"projects/p/messages/0:1"}"#.utf8)
        let later: [(Int, FlightEvent)] = [
            (1, .answered(status: 200, body: body)), (2, .unsent),
            (3, .unanswered(reason: "timed out")), (4, .answered(status: 503, body: [])),
        ]
        for request in 0..<5 { notes.note(.written(repeatedAfter: nil), of: request) }
        for (request, event) in later { notes.note(event, of: request) }
        notes.note(.written(repeatedAfter: "503 UNAVAILABLE"), of: 4)
        notes.note(.answered(status: 404, body: [0x7b]), of: 4)
        // A request that was not written has no answer.
        notes.note(.unsent, of: 9)
        #expect(
            try await records() == [
                0: FlightRecord(event: .written(repeatedAfter: nil), cause: nil),
                1: FlightRecord(event: .answered(status: 200, body: body), cause: nil),
                2: FlightRecord(event: .unsent, cause: nil),
                3: FlightRecord(event: .unanswered(reason: "timed out"), cause: nil),
                4: FlightRecord(
                    event: .answered(status: 404, body: [0x7b]),
                    cause: "503 UNAVAILABLE"
                ),
            ]
        )
    }

    @Test func `drops a request whose final outcome is durable`() async throws {
        for request in 0..<3 { notes.note(.written(repeatedAfter: nil), of: request) }
        notes.note(.written(repeatedAfter: "503"), of: 2)
        let outcomes = [
            RequestOutcome(index: 0, outcome: .accepted),
            RequestOutcome(index: 1, outcome: .unknown, detail: "503"),
            // The outcome of the attempt before the one in flight.
            RequestOutcome(index: 2, outcome: .unknown, detail: "503"),
        ]
        try await store.record(outcomes, released: nil, of: unit.id)
        #expect(try await records()?.keys.sorted() == [2])
        let final = RequestOutcome(index: 2, outcome: .unknown, detail: "500, repeated after 503")
        try await store.record([final], released: nil, of: unit.id)
        #expect(try await records() == [:])
    }

    @Test func `has room for the requests in flight, however many were sent before`() async throws {
        for request in 0..<2_000 {
            notes.note(.written(repeatedAfter: nil), of: request)
            let outcome = RequestOutcome(index: request, outcome: .accepted)
            try await store.record([outcome], released: nil, of: unit.id)
        }
        #expect(try await records() == [:])
    }

    @Test func `are incomplete if there was no room`() async throws {
        for request in 0..<10 { notes.note(.written(repeatedAfter: nil), of: request) }
        #expect(try await records()?.count == 10)
        notes.note(.written(repeatedAfter: nil), of: 10)
        #expect(try await records() == nil)
    }

    @Test func `a long answer counts as not read`() async throws {
        notes.note(.written(repeatedAfter: nil), of: 0)
        notes.note(.answered(status: 200, body: Array(repeating: 0x20, count: 2_000)), of: 0)
        let record = FlightRecord(event: .written(repeatedAfter: nil), cause: nil)
        #expect(try await records() == [0: record])
    }

    @Test func `an answer that was being noted counts as not read`() async throws {
        notes.note(.written(repeatedAfter: nil), of: 0)
        notes.note(.answered(status: 200, body: [1, 2, 3]), of: 0)
        try write([9], at: 1_024 + 24 + 8)
        let record = FlightRecord(event: .written(repeatedAfter: nil), cause: nil)
        #expect(try await records() == [0: record])
    }

    @Test func `a request that was being noted was not written`() async throws {
        notes.note(.written(repeatedAfter: nil), of: 0)
        try write([0, 0, 0, 0, 0, 0, 0, 0], at: 1_024 + 8)
        #expect(try await records() == [:])
    }

    @Test(arguments: [1, 2, -1])
    func `count for nothing with another version of the state`(difference: Int) async throws {
        notes.note(.written(repeatedAfter: nil), of: 0)
        // The file shows one record of the unit: the one that released the requests.
        try write([UInt8(truncatingIfNeeded: 1 + difference), 0, 0, 0, 0, 0, 0, 0], at: 520)
        // The record that was being committed may be missing in the state.
        #expect(try await records()?.count == (difference == 1 ? 1 : nil))
    }

    @Test func `count for nothing after another boot`() async throws {
        notes.note(.written(repeatedAfter: nil), of: 0)
        let head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(512)
        let boot = try #require(head.range(of: Data("boot ".utf8)))
        try write(Array("00000000".utf8), at: UInt64(boot.upperBound))
        #expect(try await records() == nil)
    }

    @Test func `end with their run`() async throws {
        let run = try #require(try await store.runs(limit: 1).first)
        let end = RunEnd(status: .stopped, tally: OutcomeTally(), at: StoreFixtures.due)
        let kept = try Data(contentsOf: URL(fileURLWithPath: path))
        try await store.finishRun(run.id, as: end)
        #expect(!FileManager.default.fileExists(atPath: place))
        _ = try await store.beginRun(StoreFixtures.worker)
        try FileManager.default.createDirectory(
            atPath: place,
            withIntermediateDirectories: false
        )
        try kept.write(to: URL(fileURLWithPath: path))
        #expect(try await records() == nil)
    }

    @Test func `belong to one unit`() async throws {
        let other = try await StoreFixtures.openedUnit(store, campaign: "other", count: 1)
        #expect(try await store.flightRecords(of: other.id) == nil)
    }

    @Test func `several units have notes at the same time`() async throws {
        let other = try await otherUnit()
        let others = try #require(try await store.beginFlightNotes(of: other.id, room: 4))
        try await store.record([], released: 4, of: other.id)
        for request in 0..<3 { notes.note(.written(repeatedAfter: nil), of: request) }
        for request in 0..<2 { others.note(.written(repeatedAfter: nil), of: request) }
        try await store.record(
            [RequestOutcome(index: 0, outcome: .accepted)],
            released: nil,
            of: unit.id
        )
        try await store.record(
            [RequestOutcome(index: 1, outcome: .accepted)],
            released: nil,
            of: other.id
        )
        #expect(try await records()?.keys.sorted() == [1, 2])
        #expect(try await store.flightRecords(of: other.id)?.keys.sorted() == [0])
    }

    @Test func `of a unit end with its send, and those of others stay`() async throws {
        let other = try await otherUnit()
        _ = try await store.beginFlightNotes(of: other.id, room: 4)
        notes.note(.written(repeatedAfter: nil), of: 7)
        await store.endFlightNotes(of: other.id)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["\(unit.id.number)"])
        #expect(try await store.flightRecords(of: other.id) == nil)
        #expect(try await records()?.keys.sorted() == [7])
    }

    @Test func `notes of an earlier run are removed with those of the next`() async throws {
        notes.note(.written(repeatedAfter: nil), of: 0)
        let next = try await store.beginRun(StoreFixtures.worker)
        let end = RunEnd(status: .complete, tally: OutcomeTally(), at: StoreFixtures.due)
        try await store.finishRun(next, as: end)
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test(arguments: [true, false])
    func `anything in place of their folder is replaced, and never read`(isLink: Bool) async throws
    {
        notes.note(.written(repeatedAfter: nil), of: 0)
        let target = folder.path + "/target"
        try FileManager.default.moveItem(atPath: place, toPath: target)
        if isLink {
            try FileManager.default.createSymbolicLink(
                atPath: place,
                withDestinationPath: target
            )
        } else {
            try Data("kept".utf8).write(to: URL(fileURLWithPath: place))
        }
        #expect(try await records() == nil)
        let kept = try Data(contentsOf: URL(fileURLWithPath: "\(target)/\(unit.id.number)"))
        let new = try await store.beginFlightNotes(of: unit.id, room: 10)
        #expect(new != nil)
        #expect(try folder.mode(of: place) == 0o700)
        #expect(try await records() == [:])
        let now = try Data(contentsOf: URL(fileURLWithPath: "\(target)/\(unit.id.number)"))
        #expect(now == kept)
    }

    @Test func `a link in their place is replaced, and never read`() async throws {
        let target = folder.path + "/target"
        try Data("kept".utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(try await records() == nil)
        let new = try await store.beginFlightNotes(of: unit.id, room: 10)
        #expect(new != nil)
        #expect(try folder.mode(of: path) == 0o600)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
        #expect(try await records() == [:])
    }

    @Test func `a new one forgets the earlier`() async throws {
        notes.note(.written(repeatedAfter: nil), of: 0)
        _ = try await store.beginFlightNotes(of: unit.id, room: 10)
        #expect(try await records() == [:])
    }

    @Test func `short units share a file if there are many`() async throws {
        var others: [(unit: UnitID, notes: any FlightNotes)] = []
        for number in 0..<30 {
            let other = try await otherUnit(of: "other-\(number)")
            let notes = try #require(try await store.beginFlightNotes(of: other.id, room: 4))
            others.append((other.id, notes))
            for request in 0...(number % 4) {
                notes.note(.written(repeatedAfter: nil), of: request)
            }
        }
        // The unit of the test and 15 others have their own.
        let names = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(names.count == 17)
        #expect(names.contains("short-0"))
        #expect(try folder.mode(of: place + "/short-0") == 0o600)
        let reader = try folder.open()
        for (number, other) in others.enumerated() {
            let found = try await reader.flightRecords(of: other.unit)
            #expect(found?.keys.sorted() == Array(0...(number % 4)))
        }
        // A thread may note an answer after the send has ended.
        let (unit, late) = others[29]
        await store.endFlightNotes(of: unit)
        late.note(.written(repeatedAfter: nil), of: 3)
        #expect(try await reader.flightRecords(of: unit) == nil)
        _ = try await store.beginFlightNotes(of: unit, room: 4)
        late.note(.written(repeatedAfter: nil), of: 3)
        #expect(try await reader.flightRecords(of: unit) == [:])
        #expect(try await reader.flightRecords(of: others[28].unit)?.keys.sorted() == [0])
    }

    /// Returns an occurrence whose four requests are released as it is opened.
    private func starting(
        _ campaign: String,
        outcomes: [RequestOutcome] = []
    ) throws -> StartingOccurrence {
        StartingOccurrence(
            OpenedOccurrence(
                id: try StoreFixtures.occurrence(campaign),
                due: StoreFixtures.due,
                message: ["topic": "news"],
                target: .topic(try #require(Topic("news"))),
                count: 4
            ),
            outcomes: outcomes,
            released: 4
        )
    }

    @Test func `begin before units that are opened together are committed`() async throws {
        let run = try #require(try await store.runs(limit: 1).first)
        let started = try await store.start([try starting("a"), try starting("b")], in: run.id)
        let reader = try folder.open()
        for other in started { #expect(try await reader.flightRecords(of: other.unit.id) == [:]) }
        let notes = try #require(started[1].notes)
        notes.note(.written(repeatedAfter: nil), of: 2)
        #expect(try await reader.flightRecords(of: started[1].unit.id)?.keys.sorted() == [2])
        #expect(try await reader.flightRecords(of: started[0].unit.id) == [:])
        try await store.finish(
            [
                FinishingOccurrence(
                    unit: started[1].unit.id,
                    outcomes: (0..<4).map { RequestOutcome(index: $0, outcome: .accepted) },
                    sending: RunOccurrence(
                        occurrence: try StoreFixtures.occurrence("b"),
                        tally: StoreFixtures.tally([.accepted: 4])
                    )
                )
            ],
            in: run.id
        )
        #expect(try await reader.flightRecords(of: started[1].unit.id) == nil)
        #expect(try await reader.flightRecords(of: started[0].unit.id) == [:])
    }

    @Test func `of units that could not be opened are removed`() async throws {
        let run = try #require(try await store.runs(limit: 1).first)
        // The second unit has no such request.
        let wrong = RequestOutcome(index: 4, outcome: .suppressed)
        await #expect(throws: StateStoreError.self) {
            _ = try await store.start(
                [try starting("a"), try starting("b", outcomes: [wrong])],
                in: run.id
            )
        }
        // It has the number of the first unit that was not opened.
        let other = try await otherUnit()
        #expect(other.id.number == unit.id.number + 1)
        #expect(try await store.flightRecords(of: other.id) == nil)
    }

    @Test func `a file of short units is removed when later units have the next one`() async throws
    {
        let run = try #require(try await store.runs(limit: 1).first)
        for first in stride(from: 0, to: 4_100, by: 100) {
            let started = try await store.start(
                try (first..<first + 100).map { try starting("c\($0)") },
                in: run.id
            )
            for each in started { await store.endFlightNotes(of: each.unit.id) }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(names.sorted() == ["\(unit.id.number)", "short-1"])
    }
}
