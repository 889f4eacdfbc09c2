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
        recordingIn store: (any StateStore)? = nil,
        afterSurvey change: () throws -> Void = {}
    ) async throws -> SweepReport {
        let survey = try ListSurvey(
            list,
            directory: scene.folder.path,
            fingerprinter: scene.fingerprinter
        )
        try change()
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
            places: scene.folder.path
        )
        return try await sweep.perform(
            SweptList(
                list,
                fingerprints: survey.fingerprints.inOrder(),
                dead: try await scene.store.deadRegistrations()
            ),
            within: PaceBudget(perSecond: 100_000),
            recordingWith: SweepRecorder(
                store: store ?? scene.store,
                worker: StoreFixtures.worker,
                clock: .fixed(PlanScene.now),
                patience: .zero
            )
        )
    }

    /// Whether each of the first registrations is recorded as dead.
    private func isDead(_ count: Int) async throws -> [Bool] {
        let dead = try await scene.store.deadRegistrations()
        return try (0..<count).map {
            dead.contains(scene.fingerprinter.fingerprint(of: try scene.registration($0)))
        }
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
        #expect(report.end == .complete && report.isWhole)
        #expect(
            report.tally
                == SweepReport.Tally([
                    .valid: 4, .unregistered: 1, .invalid: 1, .mismatched: 1, .refused: 1,
                ])
        )
        #expect(report.recorded == 2)
        let tokens = try (0..<8).map { try scene.registration($0).token }
        #expect(transport.seen.compactMap(\.token).sorted() == tokens.sorted())
        #expect(transport.seen.allSatisfy { $0.body["validate_only"] == .bool(true) })
        #expect(
            try await isDead(8) == [false, true, false, true, false, false, false, false]
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
        #expect(report.skipped == 2 && report.tally[.valid] == 2 && report.recorded == 0)
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
        #expect(report.tally[.valid] == 4)
        #expect(transport.seen.count == 7)
    }

    @Test func `requests installation IDs as such`() async throws {
        try scene.write("registration\nSECRET:a\nSECRET:b\n", to: "list.csv")
        let transport = ScriptedTransport()
        let report = try await sweep(.described(Self.file(.fid)), over: transport)
        #expect(report.tally[.valid] == 2)
        let messages = transport.seen.compactMap { $0.body["message"] }
        #expect(
            messages.compactMap { $0["fid"]?.stringValue }.sorted() == ["SECRET:a", "SECRET:b"]
        )
        #expect(messages.allSatisfy { $0["token"] == nil })
    }

    private static func file(_ kind: RegistrationFile.Kind) -> RegistrationFile {
        RegistrationFile(
            path: "list.csv",
            format: .csv,
            kind: kind,
            column: "registration",
            identity: nil,
            reading: .atApply
        )
    }

    @Test(arguments: [
        unregistered, invalid, .refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
    ])
    func `a list without live registrations looks wrong and is not recorded`(
        reply: ScriptedTransport.Reply
    ) async throws {
        let transport = ScriptedTransport { _ in reply }
        let report = try await sweep(try scene.file(0..<1_500), over: transport)
        guard case .suspicious(let evidence) = report.end else {
            Issue.record("\(report.end)")
            return
        }
        #expect(evidence.hold == .mostlyDead)
        #expect(report.recorded == 0 && !report.isWhole)
        #expect(try await scene.store.deadCount() == 0)
        #expect(transport.seen.count < 1_500)
    }

    @Test func `a refused message is not the fault of its registration`() async throws {
        let transport = ScriptedTransport { _ in
            .refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT")
        }
        let report = try await sweep(try scene.file(0..<200), over: transport)
        guard case .suspicious(let evidence) = report.end else {
            Issue.record("\(report.end)")
            return
        }
        #expect(evidence.hold == .refusedPayload)
        #expect(try await scene.store.deadCount() == 0)
    }

    @Test func `records many texts in a row that are not registrations`() async throws {
        let transport = try transport(
            Dictionary(uniqueKeysWithValues: (10..<60).map { ($0, Self.invalid) })
        )
        let report = try await sweep(try scene.file(0..<100), over: transport)
        #expect(report.isWhole && report.tally[.invalid] == 50 && report.recorded == 50)
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
        #expect(report.end == .failed(.interrupted))
        #expect(report.unanswered > 0)
        #expect(transport.seen.count == report.tally[.valid])
    }

    @Test(arguments: [(dead: 30, recorded: 30), (dead: 20_000, recorded: 0)])
    func `an interrupted sweep records what it has found if the list looks right`(
        dead: Int,
        recorded: Int
    ) async throws {
        let stop = StopSignal()
        let gone = try Set((0..<dead).map { try scene.registration($0).token })
        let transport = ScriptedTransport { call in
            if call.number == 60 { stop.raise() }
            return gone.contains(call.token ?? "") ? Self.unregistered : .accepted
        }
        let list = try scene.file(0..<20_000)
        let report = try await sweep(list, over: transport, stop: stop)
        #expect(report.end == .failed(.interrupted))
        #expect(report.recorded == recorded)
        #expect(try await scene.store.deadCount() == recorded)
    }

    @Test func `records nothing for a list that changes after it was surveyed`() async throws {
        let tokens = try (0..<4).map { try scene.registration($0).token }
        let transport = try transport([1: Self.unregistered, 2: Self.unregistered])
        let list = try scene.file(0..<4)
        let report = try await sweep(list, over: transport) {
            try scene.write([0, 2, 1, 3].map { tokens[$0] + "\n" }.joined(), to: "list.txt")
        }
        #expect(report.end == .failed(.list(.changed(path: "list.txt"))))
        #expect(!transport.seen.contains { [tokens[1], tokens[2]].contains($0.token) })
        #expect(try await scene.store.deadCount() == 0)
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
