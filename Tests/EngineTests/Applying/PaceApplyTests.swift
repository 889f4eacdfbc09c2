import Applying
import CampaignModel
import FCMWire
import HTTPTransport
import JSON
import Planning
import RunControl
import State
import Synchronization
import TestSupport
import Testing

/// Tests how an apply handles quotas and fan-outs.
@Suite(.timeLimit(.minutes(5)))
struct PaceApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(reach: Int?, fanOuts: Int = 1) async throws -> Plan {
        let topics = try ["a", "b"].map(scene.topic)
        return try await scene.plan(
            topics.map { try scene.campaign("to-" + $0.name, to: .topic($0)) },
            topics: Dictionary(
                uniqueKeysWithValues: topics.map {
                    ($0, TopicDescription(about: nil, reach: reach))
                }
            ),
            pace: Pace(
                sendsPerMinute: 600_000,
                subscriptionsPerSecond: 3_000,
                fanOuts: fanOuts,
                fanOutRate: 1_000
            )
        )
    }

    private final class Watch: Sendable {
        let sent = Mutex<[ContinuousClock.Instant]>([])
        let pauses = Mutex<[PauseReason]>([])

        var gap: Duration {
            let sent = sent.withLock { $0 }
            return sent.count == 2 ? sent[0].duration(to: sent[1]) : .zero
        }

        func note(_ event: ApplyEvent) {
            if case .pausing(let reason, _, _) = event { pauses.withLock { $0.append(reason) } }
        }
    }

    private func apply(_ plan: Plan, _ watch: Watch) async -> ApplyReport {
        let transport = ScriptedTransport { _ in
            watch.sent.withLock { $0.append(.now) }
            return .accepted
        }
        return await scene.apply(plan, to: transport, report: watch.note)
    }

    @Test
    func `a fan-out waits until the previous one has ended`() async throws {
        let watch = Watch()
        let report = await apply(try await plan(reach: 300), watch)
        #expect(report.error == nil)
        #expect(watch.gap >= .milliseconds(300))
    }

    @Test(arguments: [(nil, 1), (3_600_000, 2)] as [(Int?, Int)])
    func `does not wait if the reach is unknown or a permit is free`(
        reach: Int?,
        fanOuts: Int
    ) async throws {
        let watch = Watch()
        let report = await apply(try await plan(reach: reach, fanOuts: fanOuts), watch)
        #expect(report.error == nil)
        #expect(report.sends.count == 2)
        #expect(watch.pauses.withLock { $0 } == [])
    }

    @Test
    func `reports the wait for a permit; a stop ends it, and the send remains`() async throws {
        let watch = Watch()
        let stop = StopSignal()
        let transport = ScriptedTransport()
        let report = await scene.apply(
            try await plan(reach: 3_600_000),
            to: transport,
            stop: stop,
            report: { event in
                watch.note(event)
                if case .pausing = event { stop.raise() }
            }
        )
        #expect(report.error == .interrupted)
        #expect(watch.pauses.withLock { $0 } == [.fanOut])
        #expect(transport.seen.count == 1)
        let rest = try await plan(reach: nil).sends.map(\.occurrence.campaign.rawValue)
        #expect(rest == ["to-b"])
    }

    @Test
    func `a pause of the campaign ends the wait for a permit, and nothing is sent`() async throws {
        let plan = try await plan(reach: 3_600_000)
        let transport = ScriptedTransport()
        let (store, id) = (scene.store, try scene.id("to-b"))
        let report = await scene.apply(
            plan,
            to: transport,
            report: { event in
                guard case .pausing = event else { return }
                let scope = PauseScope.campaign(id.campaign)
                let pause = Pause(scope: scope, since: PlanScene.now, user: "ana", host: "here")
                Task { _ = try await store.pause(pause) }
            }
        )
        #expect(report.error == nil)
        #expect(transport.seen.count == 1)
        #expect(report.paused == [PausedSend(occurrence: id, scope: .campaign(id.campaign))])
        #expect(report.notBegun == 1)
    }

    @Test(.covers("F4-fan-outs"))
    func `retries a fan-out that was refused because too many were running`() async throws {
        let watch = Watch()
        let transport = ScriptedTransport { call in
            watch.sent.withLock { $0.append(.now) }
            return call.number > 1
                ? .accepted
                : .answer(
                    429,
                    ["error": ["code": 429, "status": "RESOURCE_EXHAUSTED", "message": "busy"]],
                    [HTTPHeader(name: "Retry-After", value: "1")]
                )
        }
        let topic = try scene.topic()
        let plan = try await scene.plan([try scene.campaign(to: .topic(topic))])
        let report = await scene.apply(plan, to: transport, report: watch.note)
        #expect(report.error == nil)
        #expect(report.tally[.accepted] == 1)
        #expect(watch.gap >= .seconds(1))
        #expect(watch.pauses.withLock { $0 } == [.quota])
    }

    @Test func `a pause that FCM requested for one occurrence applies to the next`() async throws {
        let watch = Watch()
        let transport = refusingFirst(retryAfter: 1, watch)
        let report = await scene.apply(try await plan(reach: nil), to: transport)
        #expect(report.sends.map { $0.tally[.unknown] } == [1, 0])
        #expect(watch.gap >= .seconds(1))
    }

    @Test func `reports a requested pause, during which nothing is sent`() async throws {
        let watch = Watch()
        let stop = StopSignal()
        let transport = refusingFirst(retryAfter: 3_600, watch)
        _ = await scene.apply(
            try await plan(reach: nil),
            to: transport,
            stop: stop,
            report: { event in
                watch.note(event)
                if case .pausing = event { stop.raise() }
            }
        )
        #expect(watch.pauses.withLock { $0 } == [.asked])
        #expect(transport.seen.compactMap(\.topic) == ["a"])
    }

    private func refusingFirst(retryAfter seconds: Int, _ watch: Watch) -> ScriptedTransport {
        ScriptedTransport { call in
            watch.sent.withLock { $0.append(.now) }
            return call.topic == "b"
                ? .accepted
                : .answer(
                    503,
                    ["error": ["code": 503, "status": "UNAVAILABLE", "message": "later"]],
                    [HTTPHeader(name: "Retry-After", value: "\(seconds)")]
                )
        }
    }
}
