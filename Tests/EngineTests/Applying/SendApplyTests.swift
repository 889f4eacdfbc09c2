import CampaignModel
import FCMWire
import HTTPTransport
import JSON
import Planning
import RegistrationLists
import State
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import Applying
@testable import RunControl

@Suite(.timeLimit(.minutes(5)))
struct SendApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func listCampaign(_ count: Int) throws -> Campaign {
        try scene.campaign(to: .registrations(scene.file(0..<count)))
    }

    private static func number(_ call: ScriptedTransport.Call) -> Int? {
        call.token.flatMap { Int($0.dropFirst("SECRET:device-".count)) }
    }

    @Test func `stores the mark before a request reaches the server`() async throws {
        let campaign = try listCampaign(300)
        let store = scene.store
        let id = try scene.id("sale")
        let early = Mutex<[Int]>([])
        let transport = ScriptedTransport { call in
            let unit = try? await store.appliedState().occurrences[id]?.unit
            let number = Self.number(call) ?? .max
            if (unit?.released ?? 0) <= number { early.withLock { $0.append(number) } }
            return .accepted
        }
        let report = await scene.apply(try await scene.plan([campaign]), to: transport)
        #expect(report.error == nil)
        #expect(early.withLock { $0 } == [])
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(0..<300).sorted())
        #expect(try await scene.record().unit?.tally[.accepted] == 300)
        #expect(try await scene.record().status == .finished)
    }

    @Test func `never has more than 64 open requests`() async throws {
        let counts = Mutex((open: 0, most: 0))
        let isFull = StopSignal()
        let transport = ScriptedTransport { _ in
            counts.withLock { counts in
                counts.open += 1
                counts.most = max(counts.most, counts.open)
                if counts.most == 64 { isFull.raise() }
            }
            return .acceptedAfter(isFull)
        }
        let campaign = try listCampaign(500)
        _ = await scene.apply(try await scene.plan([campaign]), to: transport) { event in
            if case .progressed(let count, _, _) = event { counts.withLock { $0.open -= count } }
        }
        #expect(counts.withLock(\.most) == 64)
        #expect(counts.withLock(\.open) == 0)
    }

    @Test func `commits many outcomes at once`() async throws {
        let campaign = try listCampaign(1_000)
        let ledger = WatchedLedger(scene.store)
        let plan = try await scene.plan([campaign])
        _ = await scene.apply(plan, to: ScriptedTransport(), mapLedgerErrors: ledger)
        // First 128, then 64 or more after each 64 answers, and the end: at most 1 + 14 + 1.
        #expect((9...16).contains(ledger.commits))
    }

    @Test func `names rejected requests in a report`() async throws {
        let transport = ScriptedTransport { call in
            switch Self.number(call) {
            case 1: .refusal(404, "NOT_FOUND", "UNREGISTERED")
            case 2: .refusal(503, "UNAVAILABLE", "UNAVAILABLE")
            case 3: .lost(.perhapsSent)
            default: .accepted
            }
        }
        let report = await scene.apply(try await scene.plan([listCampaign(5)]), to: transport)
        let send = try #require(report.sends.first)
        #expect(report.error == nil)
        #expect(send.occurrence == (try scene.id("sale")))
        #expect(send.tally == StoreFixtures.tally([.accepted: 2, .rejected: 1, .unknown: 2]))
        #expect(
            try send.rejected == [
                SendProblem(fingerprint: scene.fingerprints(1)[0], reason: "UNREGISTERED")
            ]
        )
        #expect(
            try send.unknown == [
                SendProblem(
                    fingerprint: scene.fingerprints(2)[0],
                    reason: "503 UNAVAILABLE, repeated after 503 UNAVAILABLE"
                ),
                SendProblem(fingerprint: scene.fingerprints(3)[0], reason: "connection lost"),
            ]
        )
        #expect(send.repeats == 1)
        #expect(send.repeated == [send.unknown[0]])
        #expect(report.didAnything)
    }

    @Test(.covers("F1.7-503-delivered"))
    func `finishes a list despite unknown outcomes`() async throws {
        let transport = ScriptedTransport { _ in .refusal(500, "INTERNAL", "INTERNAL") }
        let campaign = try listCampaign(3)
        _ = await scene.apply(try await scene.plan([campaign]), to: transport)
        #expect(try await scene.record().status == .finished)
        #expect(try await scene.plan([campaign]).campaigns.map(\.step) == [.unchanged])
        #expect(transport.seen.count == 15)
    }

    @Test func `a topic stops at an unknown outcome, and other sends continue`() async throws {
        let campaigns = [
            try scene.campaign(), try scene.campaign("other", to: .topic(scene.topic("sport"))),
        ]
        let transport = ScriptedTransport { $0.topic == "news" ? .lost(.perhapsSent) : .accepted }
        let report = await scene.apply(try await scene.plan(campaigns), to: transport)
        #expect(report.error == nil)
        // Sends with the same due time go by name.
        #expect(report.sends.map(\.occurrence.campaign.rawValue) == ["other", "sale"])
        #expect(report.sends.map(\.tally[.unknown]) == [0, 1])
        #expect(
            report.sends[1].unknown == [SendProblem(fingerprint: nil, reason: "connection lost")]
        )
        #expect(try await scene.record().status == .dispatching)
        #expect(try await scene.record(of: "other").status == .finished)
        let plan = try await scene.plan(campaigns)
        #expect(try plan.campaigns[0].step == .stopped(scene.id("sale"), unknown: 1))
        let again = await scene.apply(plan, to: transport)
        #expect(try again.stopped == [scene.id("sale")])
        #expect(!again.didAnything)
        #expect(transport.seen.count == 2)
    }

    @Test func `resends requests that were not accepted, once per registration`() async throws {
        let transport = ScriptedTransport { call in
            switch call.number {
            case 1, 3, 5: .lost(.notSent)
            case 2: .answer(429, [:], [HTTPHeader(name: "Retry-After", value: "0")])
            default: .accepted
            }
        }
        let report = await scene.apply(try await scene.plan([listCampaign(5)]), to: transport)
        #expect(report.error == nil)
        #expect(try await scene.record().unit?.tally[.accepted] == 5)
        #expect(transport.seen.count == 9)
    }

    @Test func `gives up on a server that never answers, and returns all requests`() async throws {
        let transport = ScriptedTransport { _ in .lost(.notSent) }
        let campaign = try scene.campaign()
        let report = await scene.apply(try await scene.plan([campaign]), to: transport)
        #expect(report.error == .unanswered(reason: "connection lost"))
        #expect(transport.seen.count == 6)
        #expect(try await scene.record().unit?.tally[.returned] == 1)
        #expect(!report.didAnything)
        let again = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([campaign]), to: again)
        #expect(again.seen.count == 1)
        #expect(try await scene.record().status == .finished)
    }

    @Test func `a rejection of the caller ends the run before the next campaign`() async throws {
        let campaigns = [try scene.campaign(), try scene.campaign("other")]
        let refusing = ScriptedTransport { _ in .refusal(401, "UNAUTHENTICATED") }
        let report = await scene.apply(try await scene.plan(campaigns), to: refusing)
        #expect(report.error == .refused(reason: "401 UNAUTHENTICATED: words"))
        // Once more with a renewed bearer.
        #expect(refusing.seen.count == 2)
        #expect(report.sends.map(\.tally[.returned]) == [1])
        let accepting = ScriptedTransport()
        let again = await scene.apply(try await scene.plan(campaigns), to: accepting)
        #expect(again.error == nil)
        #expect(accepting.seen.count == 2)
    }
}

// MARK: - Interruptions

extension SendApplyTests {
    @Test func `an interruption waits for answers, and the rest resumes later`() async throws {
        let campaign = try listCampaign(300)
        let stop = StopSignal()
        let first = ScriptedTransport { call in
            if call.number == 10 { stop.raise() }
            return .accepted
        }
        let report = await scene.apply(try await scene.plan([campaign]), to: first, stop: stop)
        #expect(report.error == .interrupted)
        let tally = try #require(report.sends.first?.tally)
        #expect(tally[.accepted] == first.seen.count)
        #expect(tally[.unknown] == 0)
        #expect(tally.total == 300)
        let second = ScriptedTransport()
        let plan = try await scene.plan([campaign])
        #expect(plan.sends.map(\.remaining) == [300 - first.seen.count])
        let rest = await scene.apply(plan, to: second)
        #expect(rest.error == nil)
        let tokens = (first.seen + second.seen).compactMap(\.token)
        #expect(tokens.sorted() == scene.tokens(0..<300).sorted())
        #expect(try await scene.record().status == .finished)
    }

    @Test func `requests without an answer at the drain limit are unknown`() async throws {
        let campaign = try listCampaign(300)
        let stop = StopSignal()
        let silent = ScriptedTransport { $0.number < 10 ? .accepted : .silence }
        let answers = Mutex(0)
        let report = await scene.apply(
            try await scene.plan([campaign]),
            to: silent,
            stop: stop,
            drainLimit: .milliseconds(20)
        ) { event in
            guard case .progressed(let count, _, _) = event else { return }
            let isLast = answers.withLock { answers in
                answers += count
                return answers == 9
            }
            if isLast { stop.raise() }
        }
        #expect(report.error == .interrupted)
        let tally = try #require(report.sends.first?.tally)
        #expect(tally[.accepted] == 9)
        #expect(tally[.unknown] == silent.seen.count - 9)
        #expect(tally[.intended] + tally[.returned] == 300 - silent.seen.count)
        let second = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([campaign]), to: second)
        let tokens = (silent.seen + second.seen).compactMap(\.token)
        #expect(tokens.sorted() == scene.tokens(0..<300).sorted())
    }

    @Test func `a stop ends a long pause immediately`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { _ in
            .answer(429, [:], [HTTPHeader(name: "Retry-After", value: "9223372036854775807")])
        }
        let plan = try await scene.plan([scene.campaign()])
        let report = await scene.apply(plan, to: transport, stop: stop) { event in
            if case .progressed = event { stop.raise() }
        }
        #expect(report.error == .interrupted)
        #expect(transport.seen.count == 1)
        #expect(try await scene.record().unit?.tally[.returned] == 1)
    }

    @Test func `starts nothing after a stop`() async throws {
        let stop = StopSignal()
        stop.raise()
        let transport = ScriptedTransport()
        let plan = try await scene.plan([scene.campaign()])
        let report = await scene.apply(plan, to: transport, stop: stop)
        #expect(report.error == .interrupted)
        #expect(transport.seen.isEmpty)
        #expect(try await scene.store.appliedState().occurrences.isEmpty)
    }
}

// MARK: - Failures of the state

extension SendApplyTests {
    @Test func `sends nothing that cannot be recorded`() async throws {
        let ledger = WatchedLedger(scene.store, failsAtCommit: 1)
        let transport = ScriptedTransport()
        let plan = try await scene.plan([listCampaign(300)])
        let report = await scene.apply(plan, to: transport, mapLedgerErrors: ledger)
        #expect(report.error == .state(.diskFull(path: "full")))
        #expect(transport.seen.isEmpty)
    }

    @Test
    func `after a failure to record, open requests are unknown and not repeated`() async throws {
        let campaign = try listCampaign(300)
        let ledger = WatchedLedger(scene.store, failsAtCommit: 2)
        let first = ScriptedTransport()
        let report = await scene.apply(
            try await scene.plan([campaign]),
            to: first,
            mapLedgerErrors: ledger
        )
        #expect(report.error == .state(.diskFull(path: "full")))
        let recorder = OccurrenceRecorder(
            store: scene.store,
            fingerprinter: scene.fingerprinter
        )
        let cutOff = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        #expect(cutOff.map(\.tally[.unknown]) == [128])
        #expect(cutOff.map(\.unknown.count) == [128])
        #expect(cutOff[0].unknown[0].reason == "cut off")
        let second = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([campaign]), to: second)
        #expect(second.seen.compactMap(\.token).sorted() == scene.tokens(128..<300).sorted())
        #expect(Set(first.seen.compactMap(\.token)).isSubset(of: scene.tokens(0..<128)))
    }

    @Test func `resent requests are unknown after a crash`() async throws {
        let campaign = try listCampaign(3)
        let refusing = ScriptedTransport { _ in .refusal(401, "UNAUTHENTICATED") }
        _ = await scene.apply(try await scene.plan([campaign]), to: refusing)
        #expect(try await scene.record().unit?.tally[.returned] == 3)
        let crashing = WatchedLedger(scene.store, failsAtCommit: 2)
        let accepting = ScriptedTransport()
        _ = await scene.apply(
            try await scene.plan([campaign]),
            to: accepting,
            mapLedgerErrors: crashing
        )
        #expect(accepting.seen.count == 3)
        let recorder = OccurrenceRecorder(
            store: scene.store,
            fingerprinter: scene.fingerprinter
        )
        #expect(
            try await recorder.settleAfterCrash(by: StoreFixtures.worker).map(\.tally[.unknown])
                == [3]
        )
        let third = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([campaign]), to: third)
        #expect(third.seen.isEmpty)
    }
}

// MARK: - Outages

extension SendApplyTests {
    @Test func `too many unknown outcomes in a row end the send, and the next apply resumes it`()
        async throws
    {
        let campaign = try listCampaign(300)
        let failing = ScriptedTransport { _ in .lost(.perhapsSent) }
        let report = await scene.apply(try await scene.plan([campaign]), to: failing)
        #expect(report.error == .unanswered(reason: "connection lost"))
        // The 63 requests that were open at the first silence are not counted: the run ends at the
        // 83rd. Each of the 82 earlier ones may have allowed one more request after the first 64.
        // Requests that were judged together allowed none.
        let count = failing.seen.count
        #expect((83...146).contains(count))
        let tally = try #require(report.sends.map(\.tally).first)
        #expect(tally[.unknown] == count)
        #expect(tally[.returned] <= 128)
        #expect(tally[.unknown] + tally[.returned] + tally[.intended] == 300)
        #expect(try await scene.record().status == .dispatching)
        let accepting = ScriptedTransport()
        let rest = await scene.apply(try await scene.plan([campaign]), to: accepting)
        #expect(rest.error == nil)
        #expect(rest.sends.map(\.tally) == [StoreFixtures.tally([.accepted: 300 - count])])
        #expect(rest.sends.map(\.unknown) == [[]])
        let tokens = (failing.seen + accepting.seen).compactMap(\.token)
        #expect(tokens.sorted() == scene.tokens(0..<300).sorted())
        #expect(try await scene.record().status == .finished)
        let whole = StoreFixtures.tally([.unknown: count, .accepted: 300 - count])
        #expect(try await scene.record().unit?.tally == whole)
    }

    @Test func `records everything as not sent during a pause`() async throws {
        let scene = scene
        let campaign = try listCampaign(300)
        let stop = StopSignal()
        let during = Mutex<(unit: WorkUnitRecord, commits: Int)?>(nil)
        let ledger = WatchedLedger(
            scene.store,
            hasCommitted: { number in
                // Of 128 released requests, 64 were sent; none is open when the last one is answered.
                guard let unit = try? await scene.record().unit, unit.tally[.returned] == 128 else {
                    return
                }
                during.withLock { $0 = (unit, number) }
                stop.raise()
            }
        )
        let delaying = ScriptedTransport { _ in
            .answer(429, [:], [HTTPHeader(name: "Retry-After", value: "3600")])
        }
        let plan = try await scene.plan([campaign])
        _ = await scene.apply(plan, to: delaying, mapLedgerErrors: ledger, stop: stop)
        #expect(delaying.seen.count == 64)
        let (unit, commits) = try #require(during.withLock { $0 })
        #expect(unit.tally == StoreFixtures.tally([.returned: 128, .intended: 172]))
        #expect(unit.open == 0)
        // The stop adds no commit.
        #expect(ledger.commits == commits)
        let recorder = OccurrenceRecorder(
            store: scene.store,
            fingerprinter: scene.fingerprinter
        )
        #expect(try await recorder.settleAfterCrash(by: StoreFixtures.worker) == [])
        let accepting = ScriptedTransport()
        let rest = await scene.apply(try await scene.plan([campaign]), to: accepting)
        #expect(rest.error == nil)
        #expect(accepting.seen.compactMap(\.token).sorted() == scene.tokens(0..<300).sorted())
    }

    @Test func `a report of the rest does not repeat the first part`() async throws {
        let campaign = try listCampaign(4)
        let unit = try await scene.begin(
            scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3)))
        )
        try await scene.record([.returned, .rejected, .unknown], of: unit)
        let transport = ScriptedTransport { call in
            Self.number(call) == 0 ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
        }
        let report = await scene.apply(try await scene.plan([campaign]), to: transport)
        let send = try #require(report.sends.first)
        #expect(send.tally == StoreFixtures.tally([.rejected: 1, .accepted: 1]))
        #expect(
            try send.rejected == [
                SendProblem(fingerprint: scene.fingerprints(0)[0], reason: "UNREGISTERED")
            ]
        )
        #expect(send.unknown == [])
    }
}
