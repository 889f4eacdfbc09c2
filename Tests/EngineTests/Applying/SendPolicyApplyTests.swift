import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import Planning
import RegistrationLists
import Sending
import State
import StoreConformance
import Synchronization
import TestSupport
import Testing
import Time

@testable import Applying
@testable import RunControl

/// Tests how a policy and user decisions change an occurrence in the state.
@Suite(.timeLimit(.minutes(5)))
struct SendPolicyApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func listCampaign(
        _ count: Int,
        _ onUnknown: SendingPolicy.OnUnknown? = nil,
        dead: String? = nil
    ) throws -> Campaign {
        try scene.campaign(to: .registrations(scene.file(0..<count))).with(onUnknown, dead: dead)
    }

    private static func number(_ call: ScriptedTransport.Call) -> Int {
        call.token.flatMap { Int($0.dropFirst("SECRET:device-".count)) } ?? 0
    }

    private static func deadBelow(_ number: Int) -> ScriptedTransport {
        ScriptedTransport { call in
            Self.number(call) < number ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
    }

    @Test func `records dead registrations of a list after the send`() async throws {
        let transport = Self.deadBelow(5)
        _ = await scene.apply(try await scene.plan([listCampaign(100)]), to: transport)
        #expect(try await scene.store.deadCount() == 5)
        #expect(try await scene.record().status == .finished)
    }

    @Test func `skips dead registrations, and the counts add up to the list`() async throws {
        let sale = try listCampaign(300)
        _ = await scene.apply(try await scene.plan([sale]), to: Self.deadBelow(5))
        let second = ScriptedTransport()
        let again = try scene.campaign("again", to: .registrations(scene.file(0..<310)))
        let plan = try await scene.plan([sale, again])
        #expect(plan.sends.map(\.remaining) == [305])
        let id = try scene.id("again").campaign
        #expect(plan.notices.contains(.deadRegistrations(id, count: 5, of: 310)))
        let report = await scene.apply(plan, to: second)
        #expect(second.seen.compactMap(\.token).sorted() == scene.tokens(5..<310).sorted())
        let tally = StoreFixtures.tally([.accepted: 305, .suppressed: 5])
        #expect(report.sends.map(\.tally) == [tally])
        #expect(try await scene.record(of: "again").unit?.tally == tally)
        #expect(try await scene.record(of: "again").status == .finished)
    }

    @Test func `later occurrences of a run skip registrations that it found dead`() async throws {
        let list = try scene.file(0..<100)
        let campaigns = try ["first", "second"].map {
            try scene.campaign($0, to: .registrations(list))
        }
        let transport = Self.deadBelow(7)
        let report = await scene.apply(try await scene.plan(campaigns), to: transport)
        #expect(transport.seen.count == 193)
        #expect(report.sends.last?.tally == StoreFixtures.tally([.accepted: 93, .suppressed: 7]))
        #expect(try await scene.record(of: "second").unit?.tally.total == 100)
    }

    @Test func `finishes a list of only dead registrations without a request`() async throws {
        _ = await scene.apply(try await scene.plan([listCampaign(4)]), to: Self.deadBelow(4))
        let second = ScriptedTransport()
        let again = try scene.campaign("again", to: .registrations(scene.file(0..<4)))
        _ = await scene.apply(try await scene.plan([again]), to: second)
        #expect(second.seen.count == 0)
        #expect(try await scene.record(of: "again").status == .finished)
        #expect(
            try await scene.record(of: "again").unit?.tally == StoreFixtures.tally([.suppressed: 4])
        )
    }

    @Test func `a resumed send skips newly dead registrations and loses nothing`() async throws {
        let stop = StopSignal()
        let cut = ScriptedTransport { call in
            if call.number == 10 { stop.raise() }
            return .accepted
        }
        let plan = try await scene.plan([listCampaign(400)])
        _ = await scene.apply(plan, to: cut, stop: stop)
        let sent = Set(cut.seen.compactMap(\.token))
        let rest = scene.tokens(0..<400).filter { !sent.contains($0) }
        let dead = try rest.suffix(100).map {
            scene.fingerprinter.fingerprint(of: try #require(Registration($0)))
        }
        try await scene.store.markDead(dead, at: PlanScene.now)
        let second = ScriptedTransport()
        let left = try await scene.plan([listCampaign(400)])
        #expect(left.sends.map(\.remaining) == [rest.count - 100])
        _ = await scene.apply(left, to: second)
        #expect(second.seen.compactMap(\.token).sorted() == rest.dropLast(100).sorted())
        let unit = try #require(try await scene.record().unit)
        #expect(unit.tally == StoreFixtures.tally([.accepted: 300, .suppressed: 100]))
        #expect(unit.open == 0)
    }

    @Test func `does not join dead registrations`() async throws {
        _ = await scene.apply(try await scene.plan([listCampaign(100)]), to: Self.deadBelow(2))
        let audience = try scene.audience(scene.inline(0, 1, 2))
        let plan = try await scene.plan([], audiences: [audience])
        #expect(plan.memberships.map(\.joins.count) == [1])
        let scope = try StoreFixtures.scope("all", "news")
        #expect(plan.notices.contains(.deadMembers(scope, count: 2)))
    }

    @Test func `a registration of another project is not dead`() async throws {
        let transport = ScriptedTransport { call in
            Self.number(call) < 5
                ? .refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH") : .accepted
        }
        _ = await scene.apply(try await scene.plan([listCampaign(100)]), to: transport)
        #expect(try await scene.store.deadCount() == 0)
        #expect(try await scene.record().unit?.tally[.rejected] == 5)
    }

    @Test func `holds a mostly dead list until acknowledged, then marks dead registrations`()
        async throws
    {
        let transport = Self.deadBelow(60)
        let report = await scene.apply(try await scene.plan([listCampaign(100)]), to: transport)
        #expect(report.error == nil)
        let held = try #require(report.held.first)
        #expect(held.occurrence == (try scene.id("sale")))
        #expect(held.suspicion.hold == .mostlyDead)
        #expect(try await scene.record().hold == .mostlyDead)
        #expect(try await scene.record().status == .dispatching)
        #expect(try await scene.record().unit?.open == 0)
        #expect(try await scene.store.deadCount() == 0)
        #expect(transport.seen.count < 100)

        let before = transport.seen.count
        let less = try await scene.plan([listCampaign(100, dead: "25%")])
        _ = await scene.apply(less, to: transport)
        #expect(try await scene.record().hold == .mostlyDead)
        #expect(transport.seen.count == before)
        let rest = await scene.apply(
            try await scene.plan([listCampaign(100, dead: "60%")]),
            to: transport
        )
        #expect(rest.held == [])
        #expect(transport.seen.count > before)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(0..<100).sorted())
        #expect(try await scene.store.deadCount() == 60)
        #expect(try await scene.record().hold == nil)
        #expect(try await scene.record().status == .finished)
    }

    @Test
    func `a rejected payload holds the occurrence, and the next campaign is sent`() async throws {
        let campaigns = [try listCampaign(300), try scene.campaign("other")]
        let transport = ScriptedTransport { call in
            call.topic == nil ? .refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT") : .accepted
        }
        let report = await scene.apply(try await scene.plan(campaigns), to: transport)
        #expect(report.held.map(\.suspicion.hold) == [.refusedPayload])
        #expect(try await scene.record().hold == .refusedPayload)
        #expect(try await scene.record(of: "other").status == .finished)
        // Twenty, and the requests that were open with the last one.
        #expect(try await scene.record().unit?.tally[.rejected] ?? 0 <= 20 + 64)
    }

    @Test
    func `stop ends a list at its first unknown outcome, and skip finishes a topic`() async throws {
        let silent = ScriptedTransport { call in
            call.topic != nil || Self.number(call) == 3 ? .lost(.perhapsSent) : .accepted
        }
        let campaigns = [
            try listCampaign(500, .stop), try scene.campaign("other").with(.skip),
        ]
        let report = await scene.apply(try await scene.plan(campaigns), to: silent)
        #expect(report.error == nil)
        #expect(try await scene.record().status == .dispatching)
        #expect(try await scene.record().unit?.tally[.unknown] == 1)
        #expect(try await scene.record(of: "other").status == .finished)
        let steps = try await scene.plan(campaigns).campaigns.map(\.step)
        #expect(try steps == [.stopped(scene.id("sale"), unknown: 1), .unchanged])
    }

    private static let contentsOfFewPlatforms: [JSONObject] = [
        ["data": ["screen": "tides"]],
        [
            "android": ["data": ["screen": "tides"]],
            "apns": ["payload": ["aps": ["alert": "High water"]]],
        ],
    ]

    @Test(arguments: contentsOfFewPlatforms)
    func `does not repeat an answered 503 unless every platform displays the message`(
        fields: JSONObject
    ) async throws {
        let transport = ScriptedTransport { call in
            Self.number(call) == 3 ? .refusal(503, "UNAVAILABLE", "UNAVAILABLE") : .accepted
        }
        let list = AudienceTarget.registrations(try scene.file(0..<60))
        let campaign = try scene.campaign(to: list, fields: fields)
        let report = await scene.apply(try await scene.plan([campaign]), to: transport)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(0..<60).sorted())
        let send = try #require(report.sends.first)
        #expect(send.tally == StoreFixtures.tally([.accepted: 59, .unknown: 1]))
        #expect(send.repeats == 0)
        #expect(try await scene.record().status == .finished)
    }

    @Test func `retry repeats an unanswered topic send`() async throws {
        let transport = ScriptedTransport { $0.number == 1 ? .lost(.perhapsSent) : .accepted }
        let campaign = try scene.campaign().with(.retry)
        let report = await scene.apply(try await scene.plan([campaign]), to: transport)
        let send = try #require(report.sends.first)
        #expect(send.tally == StoreFixtures.tally([.accepted: 1]))
        #expect(
            send.repeated == [
                SendProblem(
                    fingerprint: nil,
                    reason: "projects/shop-1/messages/2, repeated after connection lost"
                )
            ]
        )
        #expect(try await scene.record().status == .finished)
    }
}

// MARK: - User decisions, bearers and limits

extension SendPolicyApplyTests {
    private func word(_ scope: PauseScope) -> Pause {
        Pause(scope: scope, since: PlanScene.now, user: "ana", host: "here")
    }

    private func pause(_ scope: PauseScope) async throws {
        #expect(try await scene.store.pause(word(scope)))
    }

    @Test func `does not start paused campaigns, and sends all others`() async throws {
        let campaigns = [try scene.campaign(), try scene.campaign("other")]
        let plan = try await scene.plan(campaigns)
        try await pause(.campaign(campaigns[0].id))
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        let scope = PauseScope.campaign(campaigns[0].id)
        #expect(report.paused == [PausedSend(occurrence: try scene.id("sale"), scope: scope)])
        #expect(report.notBegun == 1)
        #expect(transport.seen.count == 1)
        #expect(try await scene.record(of: "other").status == .finished)
        #expect(try await scene.store.liftPause(word(.campaign(campaigns[0].id))))
        _ = await scene.apply(try await scene.plan(campaigns), to: transport)
        #expect(transport.seen.count == 2)
    }

    @Test func `a pause stops an occurrence in progress`() async throws {
        let campaign = try listCampaign(300)
        let scene = scene
        let begun = Mutex(0)
        let transport = ScriptedTransport { call in
            begun.withLock { $0 += 1 }
            if call.number == 1 {
                let pause = Pause(
                    scope: .everything,
                    since: PlanScene.now,
                    user: "ana",
                    host: "here"
                )
                _ = try? await scene.store.pause(pause)
            }
            // The server accepts no more requests until the pause is detected.
            return call.number <= 64
                ? .answer(429, [:], [HTTPHeader(name: "Retry-After", value: "3600")]) : .accepted
        }
        let report = await scene.apply(try await scene.plan([campaign]), to: transport)
        #expect(report.error == nil)
        #expect(
            report.paused == [PausedSend(occurrence: try scene.id("sale"), scope: .everything)]
        )
        #expect(try await scene.record().unit?.open == 0)
        #expect(try await scene.record().unit?.tally[.accepted] == 0)
        #expect(try await scene.store.liftPause(word(.everything)))
        let accepting = ScriptedTransport()
        let rest = await scene.apply(try await scene.plan([campaign]), to: accepting)
        #expect(rest.error == nil)
        #expect(accepting.seen.compactMap(\.token).sorted() == scene.tokens(0..<300).sorted())
    }

    @Test func `renews an expired bearer, also for the next occurrence`() async throws {
        let renewed = Mutex(0)
        let bearer = Bearer("old") { () throws(BearerError) in
            renewed.withLock { $0 += 1 }
            return "new"
        }
        let transport = ScriptedTransport { call in
            call.headers.contains(HTTPHeader(name: "Authorization", value: "Bearer new"))
                ? .accepted : .refusal(401, "UNAUTHENTICATED")
        }
        let campaigns = [try listCampaign(10), try scene.campaign("other")]
        let plan = try await scene.plan(campaigns)
        let report = await scene.apply(plan, to: transport, bearer: bearer)
        #expect(report.error == nil)
        #expect(renewed.withLock(\.self) == 1)
        // Sends with the same due time go by name: `other`, then the list of `sale`.
        #expect(report.sends.map(\.tally[.accepted]) == [1, 10])
    }

    @Test
    func `opens no more requests than configured; the mark is twice as far`() async throws {
        let counts = Mutex((open: 0, most: 0))
        let scene = scene
        let ahead = Mutex(0)
        let transport = ScriptedTransport { _ in
            counts.withLock { counts in
                counts.open += 1
                counts.most = max(counts.most, counts.open)
            }
            let unit = try? await scene.record().unit
            ahead.withLock { $0 = max($0, unit?.open ?? 0) }
            return .accepted
        }
        let plan = try await scene.plan([listCampaign(200)])
        _ = await scene.apply(plan, to: transport, parallelism: 3) { event in
            if case .progressed(let count, _, _) = event { counts.withLock { $0.open -= count } }
        }
        #expect(counts.withLock(\.most) == 3)
        #expect(ahead.withLock(\.self) == 6)
        #expect(transport.seen.count == 200)
    }

    @Test func `the next apply resends requests on a user's decision`() async throws {
        let campaign = try scene.campaign()
        let silent = ScriptedTransport { _ in .lost(.perhapsSent) }
        _ = await scene.apply(try await scene.plan([campaign]), to: silent)
        let asked = RequestedResolution(
            occurrence: try scene.id("sale"),
            resolution: .resend,
            unknown: 1,
            user: "ana",
            host: "here",
            at: PlanScene.now
        )
        #expect(try await scene.store.request(asked))
        let recorder = OccurrenceRecorder(
            store: scene.store,
            fingerprinter: scene.fingerprinter
        )
        try await recorder.performRequested(by: StoreFixtures.worker)
        #expect(try await scene.store.requestedResolutions().isEmpty)
        let accepting = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([campaign]), to: accepting)
        #expect(accepting.seen.count == 1)
        #expect(try await scene.record().status == .finished)
    }

    @Test func `the lifetime of an unscheduled message starts at its send`() async throws {
        let delivery = Delivery(
            timeToLive: TimeToLive(seconds: 0),
            expires: nil,
            priority: nil,
            collapse: nil
        )
        let campaign = try scene.campaign(
            fields: ["notification": ["title": "now"]],
            delivery: delivery
        )
        let plan = try await scene.plan([campaign], at: PlanScene.now.advanced(bySeconds: -3_600))
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(report.expired == [])
        #expect(transport.seen.count == 1)
    }
}

extension Campaign {
    fileprivate func with(
        _ onUnknown: SendingPolicy.OnUnknown?,
        dead: String? = nil
    ) -> Campaign {
        let acknowledgement = dead.map {
            Acknowledgement(reach: nil, dead: Percentage($0), reason: "it is old")
        }
        return following(
            SendingPolicy(
                onUnknown: onUnknown,
                rollout: nil,
                acknowledgement: acknowledgement,
                holdOut: nil
            )
        )
    }
}
