import CampaignModel
import FCMWire
import HTTPTransport
import JSON
import Planning
import RegistrationLists
import State
import StoreConformance
import Testing
import Time

@testable import Applying
@testable import RunControl

/// Sends that quiet hours hold while a plan is applied.
@Suite(.timeLimit(.minutes(5)))
struct QuietApplyTests {
    private let scene: PlanScene
    private let end: Instant
    private let ten: Instant

    init() throws {
        scene = try PlanScene()
        end = try QuietScene.instant(QuietScene.end)
        ten = try QuietScene.instant("2027-01-15T22:00:00Z")
    }

    private func plan(
        _ campaign: Campaign,
        reach: Int? = nil,
        at now: String
    ) async throws -> Plan {
        try await scene.plan(
            [campaign],
            topics: [scene.topic(): TopicDescription(about: nil, reach: reach)],
            guards: QuietScene.guards(),
            at: QuietScene.instant(now)
        )
    }

    private func deferred() throws -> [DeferredSend] {
        [DeferredSend(occurrence: try scene.id("sale"), until: end)]
    }

    private static let fanOuts: [(Int?, String)] = [
        // 6,000,000 devices need 601 s.
        (nil, "2027-01-15T22:00:00Z"), (6_000_000, "2027-01-15T21:50:00Z"),
    ]

    @Test(arguments: fanOuts) func `leaves a fan-out for later that would last into the hours`(
        reach: Int?,
        now: String
    ) async throws {
        let plan = try await plan(scene.campaign(), reach: reach, at: "2027-01-15T21:49:00Z")
        #expect(plan.sends.count == 1)
        let clock = try SetClock(now)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport, clock: clock.wall)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(report.deferred == (try deferred()))
        #expect(report.shortfall == nil)
        #expect(try await scene.record().status == .scheduled)
        #expect(try await scene.record().due == end)
    }

    @Test func `stops a list when the hours begin, and resumes it after them`() async throws {
        let sale = try scene.campaign(to: .registrations(scene.file(0..<40)))
        let clock = try SetClock("2027-01-15T21:59:00Z")
        let isAnswered = StopSignal()
        let transport = ScriptedTransport { [ten] call in
            clock.set(ten)
            // The applier reads the clock every half a second.
            if call.number == 1 {
                Task {
                    try? await Task.sleep(for: .milliseconds(1_200))
                    isAnswered.raise()
                }
            }
            return .acceptedAfter(isAnswered)
        }
        let plan = try await plan(sale, at: "2027-01-15T21:59:00Z")
        let report = await scene.apply(plan, to: transport, parallelism: 4, clock: clock.wall)
        #expect(report.error == nil)
        #expect(report.deferred == (try deferred()))
        let sent = transport.seen.count
        #expect((1..<40).contains(sent))
        let record = try await scene.record()
        #expect(record.status == .dispatching)
        #expect(record.due == end)
        #expect(record.unit?.tally[.accepted] == sent)

        let night = try await self.plan(sale, at: "2027-01-16T07:04:25Z")
        #expect(night.campaigns.map(\.step) == [.unchanged])
        let rest = try await self.plan(sale, at: QuietScene.end)
        clock.set(end)
        let second = ScriptedTransport()
        let last = await scene.apply(rest, to: second, clock: clock.wall)
        #expect(last.error == nil)
        #expect(try await scene.record().status == .finished)
        let tokens = (transport.seen + second.seen).compactMap(\.token)
        #expect(tokens.sorted() == scene.tokens(0..<40).sorted())
    }

    @Test func `stores a list that is applied in the hours, and sends nothing`() async throws {
        let sale = try scene.campaign(to: .registrations(scene.file(0..<3)))
        let plan = try await plan(sale, at: "2027-01-15T21:59:00Z")
        let transport = ScriptedTransport()
        let clock = try SetClock("2027-01-15T22:00:00Z")
        let report = await scene.apply(plan, to: transport, clock: clock.wall)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(report.deferred == (try deferred()))
        #expect(try await scene.record().due == end)
        let rest = try await self.plan(sale, at: QuietScene.end)
        #expect(rest.sends.map(\.remaining) == [3])
    }

    @Test func `stores a list that is read in the hours, and sends nothing`() async throws {
        let sale = try scene.campaign(to: .registrations(scene.listAtSend()))
        let plan = try await plan(sale, at: "2027-01-15T21:59:00Z")
        try scene.writeLater(0..<3)
        let transport = ScriptedTransport()
        let clock = try SetClock("2027-01-15T22:00:00Z")
        let report = await scene.apply(plan, to: transport, clock: clock.wall)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(report.deferred == (try deferred()))
        let rest = try await self.plan(sale, at: QuietScene.end)
        #expect(rest.sends.map(\.remaining) == [3])
    }

    @Test func `does not repeat a fan-out in the hours`() async throws {
        let clock = try SetClock("2027-01-15T21:59:00Z")
        let transport = ScriptedTransport { [ten] _ in
            clock.set(ten)
            return .answer(429, [:], [HTTPHeader(name: "Retry-After", value: "3")])
        }
        let plan = try await plan(scene.campaign(), at: "2027-01-15T21:59:00Z")
        let report = await scene.apply(plan, to: transport, clock: clock.wall)
        #expect(report.error == nil)
        #expect(transport.seen.count == 1)
        #expect(report.deferred == (try deferred()))
        #expect(try await scene.record().status == .dispatching)
        let night = try await self.plan(scene.campaign(), at: "2027-01-16T06:00:00Z")
        #expect(night.campaigns.map(\.step) == [.unchanged])
        let rest = try await self.plan(scene.campaign(), at: QuietScene.end)
        #expect(rest.sends.count == 1)
    }
}
