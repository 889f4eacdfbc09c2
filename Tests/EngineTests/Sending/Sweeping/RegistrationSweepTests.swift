import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import RateControl
import RegistrationLists
import SQLiteStore
import State
import StoreConformance
import Testing
import Time

@testable import RunControl
@testable import Sending

/// Tests that a sweep asks for each registration once, sends nothing, and records dead ones.
struct RegistrationSweepTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func sweep(
        _ list: RegistrationList,
        over transport: ScriptedTransport,
        stop: StopSignal = StopSignal(),
        recordingIn store: (any StateStore)? = nil
    ) async throws -> SweepReport {
        let survey = try ListSurvey(
            list,
            directory: scene.folder.path,
            fingerprinter: scene.fingerprinter
        )
        let sweep = RegistrationSweep(
            settings: RunSettings(
                transport: transport,
                endpoint: .unused(),
                clock: .fixed(PlanScene.now),
                stop: stop,
                drainLimit: .seconds(20),
                backoff: Backoff(shortest: .milliseconds(1), shortestRepeat: .milliseconds(1))
            ),
            fingerprinter: scene.fingerprinter,
            directory: scene.folder.path
        )
        return try await sweep.perform(
            SweptList(list, survey: survey),
            within: PaceBudget(perSecond: 100_000),
            recordingWith: SweepRecorder(
                store: store ?? scene.store,
                worker: StoreFixtures.worker,
                clock: .fixed(PlanScene.now),
                patience: .zero
            )
        )
    }

    private static let unregistered = ScriptedTransport.Reply.refusal(
        404,
        "NOT_FOUND",
        "UNREGISTERED"
    )

    /// FCM's answer to a text that is not a registration.
    private static let invalid = ScriptedTransport.Reply.answer(
        400,
        [
            "error": [
                "code": 400, "status": "INVALID_ARGUMENT",
                "message": "The registration token is not a valid FCM registration token",
                "details": [
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                        "errorCode": "INVALID_ARGUMENT",
                    ]
                ],
            ]
        ]
    )

    /// Answers by registration.
    private func transport(
        _ replies: [Int: ScriptedTransport.Reply]
    ) throws -> ScriptedTransport {
        let byToken = Dictionary(
            uniqueKeysWithValues: try replies.map {
                (try scene.registration($0.key).token, $0.value)
            }
        )
        return ScriptedTransport { call in byToken[call.token ?? ""] ?? .accepted }
    }

    @Test func `validates a message to each registration and records dead and invalid ones`()
        async throws
    {
        let transport = try transport([
            1: Self.unregistered, 3: Self.invalid,
            4: .refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
            5: .refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
        ])
        let report = try await sweep(try scene.file(0..<8), over: transport)
        #expect(report.end == .complete)
        #expect(report.tally.valid == 4 && report.tally.unregistered == 1)
        #expect(report.tally.invalid == 1 && report.tally.mismatched == 1)
        #expect(report.tally.refused == 1 && report.unanswered == 0)
        #expect(report.recorded == 2)
        let tokens = try (0..<8).map { try scene.registration($0).token }
        #expect(transport.seen.compactMap(\.token).sorted() == tokens.sorted())
        #expect(transport.seen.allSatisfy { $0.body["validate_only"] == .bool(true) })
        let dead = try await scene.store.deadRegistrations()
        let fingerprints = try scene.fingerprints(0, 1, 2, 3, 4, 5, 6, 7)
        #expect(
            fingerprints.map(dead.contains) == [false, true, false, true]
                + Array(repeating: false, count: 4)
        )
        // The lock is free again.
        try await scene.store.lock(for: StoreFixtures.worker, waiting: .zero)
        await scene.store.unlock()
    }

    @Test func `does not ask for registrations that were dead before`() async throws {
        try await scene.store.lock(for: StoreFixtures.worker, waiting: .zero)
        try await scene.store.markDead(try scene.fingerprints(0, 2), at: PlanScene.now)
        await scene.store.unlock()
        let transport = ScriptedTransport()
        let report = try await sweep(try scene.file(0..<4), over: transport)
        #expect(report.skipped == 2 && report.tally.valid == 2 && report.recorded == 0)
        #expect(
            Set(transport.seen.compactMap(\.token))
                == Set(try [1, 3].map { try scene.registration($0).token })
        )
    }

    @Test func `repeats requests without an answer and throttled ones`() async throws {
        let transport = ScriptedTransport { call in
            switch call.number {
            case 1: .lost(.perhapsSent)
            case 2: .lost(.notSent)
            case 3: .answer(503, [:])
            default: .accepted
            }
        }
        let report = try await sweep(try scene.file(0..<4), over: transport)
        #expect(report.end == .complete)
        #expect(report.tally.valid == 4)
        #expect(transport.seen.count == 7)
    }

    @Test func `a list with only dead registrations looks wrong and is not recorded`() async throws
    {
        let transport = ScriptedTransport { _ in Self.unregistered }
        let report = try await sweep(try scene.file(0..<1_500), over: transport)
        guard case .held(let evidence) = report.end else {
            Issue.record("\(report.end)")
            return
        }
        #expect(evidence.hold == .mostlyDead)
        #expect(report.recorded == 0)
        #expect(try await scene.store.deadCount() == 0)
        #expect(transport.seen.count < 1_500)
    }

    @Test func `a list with many dead registrations is checked to its end`() async throws {
        let dead = try Set((0..<900).map { try scene.registration($0).token })
        let transport = ScriptedTransport { call in
            dead.contains(call.token ?? "") ? Self.unregistered : .accepted
        }
        let report = try await sweep(try scene.file((0..<1_500).reversed()), over: transport)
        #expect(report.end == .complete)
        #expect(report.recorded == 900)
        #expect(try await scene.store.deadCount() == 900)
    }

    @Test func `a stop ends the sweep without new requests`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { call in
            if call.number == 10 { stop.raise() }
            return .accepted
        }
        let report = try await sweep(try scene.file(0..<20_000), over: transport, stop: stop)
        #expect(report.end == .stopped)
        #expect(report.unanswered > 0)
        #expect(transport.seen.count == report.tally.valid)
    }

    @Test func `waits for the lock only at the end, and fails if it stays held`() async throws {
        try await scene.store.lock(for: StoreFixtures.worker, waiting: .zero)
        let other = try SQLiteStore.open(path: scene.folder.path + "/dev.sqlite")
        let transport = try transport([0: Self.unregistered])
        let error = await #expect(throws: ApplyError.self) {
            _ = try await sweep(try scene.file(0..<3), over: transport, recordingIn: other)
        }
        guard case .state(.locked)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.seen.count == 3)
        await scene.store.unlock()
        #expect(try await scene.store.deadCount() == 0)
    }
}
