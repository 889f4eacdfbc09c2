import CampaignMessages
import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import RegistrationLists
import State
import StoreConformance
import Synchronization
import Testing
import Time

@testable import RunControl
@testable import Sending

/// Tests that test messages are recorded before they are sent, once each.
struct TestSenderTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func people(
        _ count: Int,
        kind: RegistrationFile.Kind = .token
    ) throws -> [TestRecipient] {
        try scene.tokens(0..<count).map {
            TestRecipient(try #require(Registration($0)), kind: kind)
        }
    }

    private func sender(
        _ transport: ScriptedTransport,
        stop: StopSignal = StopSignal(),
        bearer: Bearer = Bearer(fixed: "owner")
    ) -> TestSender {
        TestSender(
            fingerprinter: scene.fingerprinter,
            settings: RunSettings(
                transport: transport,
                endpoint: .unused(bearer: bearer),
                clock: .fixed(PlanScene.now),
                stop: stop
            )
        )
    }

    private func message() throws -> MessageTemplate {
        DeliveryLowering(try scene.campaign()).template
    }

    @Test func `records all registrations as unknown before the first send, then each answer`()
        async throws
    {
        let seen = Mutex<[OutcomeTally]>([])
        let store = scene.store
        let transport = ScriptedTransport { call in
            let noted = try? await store.sendings(of: RunID(number: 1)).first?.tally
            seen.withLock { $0.append(noted ?? OutcomeTally()) }
            return call.number == 2 ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
        let campaign = try scene.campaign()
        try await store.lock(for: StoreFixtures.worker, waiting: .zero)
        let run = TestRun(history: store, sender: sender(transport), of: campaign)
        let done = try await run.perform(
            message(),
            to: people(3),
            by: StoreFixtures.worker
        ) { PlanScene.now }
        #expect(
            seen.withLock { $0 } == [
                StoreFixtures.tally([.unknown: 3]),
                StoreFixtures.tally([.accepted: 1, .unknown: 2]),
                StoreFixtures.tally([.accepted: 1, .rejected: 1, .unknown: 1]),
            ]
        )
        #expect(transport.seen.compactMap(\.token) == scene.tokens(0..<3))
        let noted = try #require(try await store.sendings(of: done.run).first)
        #expect(noted.occurrence.description == "sale/test/1")
        #expect(noted.tally == StoreFixtures.tally([.accepted: 2, .rejected: 1]))
        #expect(noted.problems.map(\.reason) == ["UNREGISTERED"])
        #expect(try await store.runs(limit: 1).first?.status == .complete)
        #expect(try await store.appliedState().occurrences.isEmpty)
        #expect(try await store.deadCount() == 0)
    }

    @Test(arguments: [RegistrationFile.Kind.token, .fid])
    func `names a registration as its list does`(kind: RegistrationFile.Kind) async throws {
        let transport = ScriptedTransport()
        let results = try await sender(transport).send(
            message(),
            to: people(1, kind: kind),
            validatesOnly: false
        ) { _ in }
        #expect(results.map(\.verdict.outcome) == [.accepted])
        let message = transport.seen.first?.body["message"]
        let other = kind == .fid ? "token" : "fid"
        #expect(message?[kind.rawValue]?.stringValue == scene.tokens(0..<1).first)
        #expect(message?[other] == nil)
    }

    @Test func `renews an expired bearer once, and ends at any other rejection of the caller`()
        async throws
    {
        let renewals = Mutex(0)
        let bearer = Bearer("old") { () throws(BearerError) in
            renewals.withLock { $0 += 1 }
            return "new"
        }
        let transport = ScriptedTransport { call in
            call.number == 2 ? .accepted : .answer(401, [:])
        }
        let results = try await sender(transport, bearer: bearer).send(
            message(),
            to: people(3),
            validatesOnly: false
        ) { _ in }
        #expect(renewals.withLock { $0 } == 2)
        #expect(results.map(\.verdict.outcome) == [.accepted, .returned, .returned])
        #expect(transport.seen.count == 4)
    }

    @Test func `sends nothing that cannot be recorded, and nothing after a stop`() async throws {
        let transport = ScriptedTransport()
        await #expect(throws: ApplyError.interrupted) {
            _ = try await sender(transport).send(
                message(),
                to: people(1),
                validatesOnly: false
            ) { _ throws(ApplyError) in throw .interrupted }
        }
        let stop = StopSignal()
        stop.raise()
        let results = try await sender(transport, stop: stop).send(
            message(),
            to: people(2),
            validatesOnly: false
        ) { _ in }
        #expect(results.map(\.verdict) == Array(repeating: .notSent(reason: "not tried"), count: 2))
        #expect(transport.seen.isEmpty)
    }

    @Test
    func `no answer or a failure is unknown, and a refused request was not sent`() async throws {
        let transport = ScriptedTransport { call in
            switch call.number {
            case 1: .lost(.perhapsSent)
            case 2: .answer(503, [:])
            case 3: .lost(.notSent)
            default: .answer(429, [:])
            }
        }
        let results = try await sender(transport).send(
            message(),
            to: people(4),
            validatesOnly: true
        ) { _ in }
        #expect(results.map(\.verdict.outcome) == [.unknown, .unknown, .returned, .returned])
    }
}
