import CampaignModel
import Planning
import State
import StoreConformance
import Testing
import Time

@testable import Applying
@testable import RunControl
@testable import Sending

/// Tests what the next run makes of the notes of a killed process.
struct CutOffNotesTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: scene.store, fingerprinter: scene.fingerprinter)
    }

    /// An answer of FCM with this error.
    private static func error(_ status: Int, _ name: String, code: String) -> FlightEvent {
        let text = """
            {"error": {"code": \(status), "message": "No.", "status": "\(name)", "details": [{
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "\(code)"}]}}
            """
        return .answered(status: status, body: Array(text.utf8))
    }

    private static let success = FlightEvent.answered(
        status: 200,
        body: Array(#"{"name": "projects/p/messages/0:1"}"#.utf8)
    )
    private static let unregistered = error(404, "NOT_FOUND", code: "UNREGISTERED")
    private static let unavailable = error(503, "UNAVAILABLE", code: "UNAVAILABLE")

    private func unit(_ count: Int) async throws -> (WorkUnitRecord, any FlightNotes) {
        let list = RegistrationList.inline(try (0..<count).map(scene.registration))
        let unit = try await scene.begin(scene.campaign(to: .registrations(list)))
        let notes = try #require(
            try await scene.store.beginFlightNotes(of: unit.id, room: count)
        )
        try await scene.store.record([], released: count, of: unit.id)
        return (unit, notes)
    }

    @Test func `only requests in flight are unknown`() async throws {
        let (unit, notes) = try await unit(8)
        let events: [(Int, FlightEvent)] = [
            (0, Self.success), (1, Self.unregistered), (4, .unsent),
            (5, Self.error(429, "RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED")),
            (6, Self.unavailable), (7, .unanswered(reason: "timed out")),
        ]
        // Request 3 was released and not written.
        for request in [0, 1, 2, 4, 5, 6, 7] {
            notes.note(.written(repeatedAfter: nil), of: request)
        }
        for (request, event) in events { notes.note(event, of: request) }
        let (before, unknown) = try await status()
        let reports = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(
            try await scene.store.outcomes(of: unit.id, in: 0..<8) == [
                .accepted, .rejected, .unknown, .returned, .returned, .returned, .unknown, .unknown,
            ]
        )
        #expect(
            try await scene.store.details(of: unit.id, in: 0..<8) == [
                1: "UNREGISTERED", 2: "cut off", 5: "RESOURCE_EXHAUSTED", 6: "503 UNAVAILABLE",
                7: "timed out",
            ]
        )
        #expect(reports.map(\.tally[.unknown]) == [1])
        let current = try await StoreFixtures.unit(of: "sale", in: scene.store)
        #expect(try await recorder.intended(of: current).count == 3)
        // The status is the same before and after the next run.
        #expect(before.notSent == 3 && before.unknown == 3)
        #expect(unknown.map(\.reason) == ["cut off", "503 UNAVAILABLE", "timed out"])
        let after = try await status()
        #expect(after.counts == before && after.unknown == unknown)
    }

    /// Returns what `herald status` shows of the campaign `sale`.
    private func status() async throws -> (counts: RequestCounts, unknown: [SendProblem]) {
        let reader = OverviewReader(
            store: scene.store,
            fingerprinter: scene.fingerprinter,
            zones: .system(environment: [:]),
            zone: "UTC",
            now: PlanScene.now
        )
        let occurrence = try #require(try await reader.overview(of: .all).occurrences.first)
        var unknown: [SendProblem] = []
        try await reader.forEachUnknown(of: occurrence) { problem in
            unknown.append(problem)
            return true
        }
        return (occurrence.counts, unknown)
    }

    /// Requests 0 to 7 of ten were released: 3 to 5 were not sent, and the others may have been.
    private func interrupt() async throws {
        let list = RegistrationList.inline(try (0..<10).map(scene.registration))
        let unit = try await scene.begin(scene.campaign(to: .registrations(list)))
        let notes = try #require(try await scene.store.beginFlightNotes(of: unit.id, room: 10))
        try await scene.store.record([], released: 8, of: unit.id)
        for request in [0, 1, 2, 4, 5, 6, 7] {
            notes.note(.written(repeatedAfter: nil), of: request)
        }
        notes.note(Self.success, of: 0)
        notes.note(.unsent, of: 4)
        notes.note(Self.error(429, "RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED"), of: 5)
        notes.note(Self.unavailable, of: 6)
    }

    private func edited() async throws -> EditedList? {
        let list = RegistrationList.inline(try [0, 1, 4, 8, 20].map(scene.registration))
        let plan = try await scene.plan(
            [try scene.campaign(to: .registrations(list))],
            interrupted: recorder
        )
        let lists: [EditedList] = plan.notices.compactMap { notice in
            if case .editedList(_, let list) = notice { list } else { nil }
        }
        return lists.first
    }

    @Test func `a plan has the same numbers before and after the notes are recorded`()
        async throws
    {
        try await interrupt()
        let before = try #require(try await edited())
        #expect(before.remaining == 5)
        #expect(try before.removed == scene.fingerprints(3, 5, 9))
        #expect(before.added == 1)
        _ = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(try await edited() == before)
    }

    @Test func `the notes of a process that still sends show nothing`() async throws {
        try await interrupt()
        let unit = try await StoreFixtures.unit(of: "sale", in: scene.store)
        #expect(try await recorder.unsent(of: unit) == [3, 4, 5])
        try await scene.store.lock(for: StoreFixtures.worker, waiting: .zero)
        #expect(try await recorder.unsent(of: unit) == [])
        await scene.store.unlock()
    }

    @Test func `a repeat in flight is unknown and named as repeated`() async throws {
        let (unit, notes) = try await unit(4)
        let run = try #require(try await scene.store.runs(limit: 1).first)
        for request in 0..<4 {
            notes.note(.written(repeatedAfter: nil), of: request)
            notes.note(Self.unavailable, of: request)
        }
        // The first outcome of some requests was recorded before the repeat.
        let recorded = [1, 2].map {
            RequestOutcome(index: $0, outcome: .unknown, detail: "503 UNAVAILABLE")
        }
        try await scene.store.record(recorded, released: nil, of: unit.id)
        for request in 0..<4 {
            notes.note(.written(repeatedAfter: "503 UNAVAILABLE"), of: request)
        }
        notes.note(Self.success, of: 2)
        notes.note(Self.error(429, "RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED"), of: 3)
        _ = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(
            try await scene.store.outcomes(of: unit.id, in: 0..<4)
                == [.unknown, .unknown, .accepted, .unknown]
        )
        let after = "repeated after 503 UNAVAILABLE"
        let details = [
            0: "cut off, " + after, 1: "cut off, " + after, 2: after,
            3: "RESOURCE_EXHAUSTED, " + after,
        ]
        #expect(try await scene.store.details(of: unit.id, in: 0..<4) == details)
        let sendings = try await scene.store.sendings(of: scene.id("sale"))
        let sending = try #require(sendings.first { $0.0 == run.id }?.1)
        #expect(sending.repeated == 4)
        #expect(
            try sending.problems.filter { $0.kind == .repeated }.map(\.registration)
                == scene.fingerprints(0, 1, 2, 3).map(\.description)
        )
    }

    @Test func `answers that show a wrong list hold the send`() async throws {
        let (_, notes) = try await unit(40)
        for request in 0..<20 {
            notes.note(.written(repeatedAfter: nil), of: request)
            notes.note(Self.unregistered, of: request)
        }
        _ = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(try await scene.store.occurrence(scene.id("sale"))?.hold == .mostlyDead)
    }

    @Test func `without notes, every released request is unknown`() async throws {
        let (_, notes) = try await unit(4)
        for request in 0..<2 { notes.note(.written(repeatedAfter: nil), of: request) }
        notes.note(Self.success, of: 0)
        // More requests are noted than there is room for.
        for request in 4..<1_100 { notes.note(.written(repeatedAfter: nil), of: request) }
        let reports = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(reports.map(\.tally[.unknown]) == [4])
    }
}
