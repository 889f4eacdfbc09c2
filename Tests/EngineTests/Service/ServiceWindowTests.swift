import Applying
import CampaignModel
import FCMClient
import Planning
import RateControl
import RunControl
import Service
import State
import StoreConformance
import Synchronization
import Testing
import Time

/// Tests windows against a state, with a scripted server.
@Suite(.timeLimit(.minutes(2)))
struct ServiceWindowTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaign(
        _ name: String,
        _ numbers: Int...,
        schedule: Schedule = .immediate
    ) throws -> Campaign {
        let list = RegistrationList.inline(try numbers.map(scene.registration))
        return try scene.campaign(name, to: .registrations(list), schedule: schedule)
    }

    private func perform(
        _ plan: Plan,
        occurrences: Int = 8,
        requests: Int = 0,
        to transport: ScriptedTransport,
        isWhole: Bool = true,
        next: Instant? = nil,
        at now: Instant = PlanScene.now,
        look: ServiceWindow.Look = { _ in nil },
        report: @escaping @Sendable (ApplyEvent) -> Void = { _ in }
    ) async -> ApplyReport? {
        await scene.performWindow(
            DueWork(plan: plan, next: next),
            occurrences: occurrences,
            requests: requests,
            to: transport,
            isWhole: isWhole,
            at: now,
            look: look,
            report: report
        )
    }

    @Test func `sends several occurrences at once`() async throws {
        let plan = try await scene.plan([
            try campaign("first", 0, 1, 2), try campaign("second", 3, 4),
            try scene.campaign("topic", to: .topic(scene.topic("news"))),
        ])
        // The first one ends only after the others.
        let others = StopSignal()
        let count = Mutex(0)
        let first = scene.tokens(0...2)
        let transport = ScriptedTransport { call in
            if let token = call.token, first.contains(token) { return .acceptedAfter(others) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 3 { others.raise() }
            return .accepted
        }
        let report = try #require(await perform(plan, to: transport))
        #expect(report.error == nil)
        #expect(
            try report.sends.map(\.occurrence)
                == [scene.id("first"), scene.id("second"), scene.id("topic")]
        )
        #expect(report.sends.map { $0.tally[.accepted] } == [3, 2, 1])
        #expect(report.notBegun == 0)
        #expect(try await scene.store.occurrences(.dispatching).isEmpty)
        let run = try #require(try await scene.store.runs(limit: 2).first)
        #expect(run.status == .complete)
        #expect(run.tally[.accepted] == 6)
    }

    @Test func `a capped send counts the messages of those before it`() async throws {
        let plan = try await scene.plan(
            [try campaign("a", 0, 1), try campaign("b", 1, 2), try campaign("c", 2, 3)],
            guards: .capped(day: 1)
        )
        let transport = ScriptedTransport()
        let report = try #require(await perform(plan, to: transport))
        #expect(report.error == nil)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens(0...3))
        #expect(report.sends.map(\.capped) == [0, 1, 1])
        #expect(report.notBegun == 0)
    }

    @Test func `records sends that became too late after the plan`() async throws {
        let due = Schedule.at(PlanScene.moment(-1))
        let plan = try await scene.plan([
            try campaign("a", 0, schedule: due), try campaign("b", 1, 2, schedule: due),
            try campaign("now", 3),
        ])
        let transport = ScriptedTransport()
        let report = try #require(
            await perform(plan, to: transport, at: PlanScene.now.advanced(bySeconds: 3_600))
        )
        #expect(report.error == nil)
        #expect(try report.expired == [scene.id("a"), scene.id("b")])
        #expect(report.notBegun == 0)
        #expect(transport.seen.compactMap(\.token) == scene.tokens(3...3))
        let records = try await scene.store.appliedState().occurrences
        #expect(try records[scene.id("a")]?.status == .expired)
        #expect(try records[scene.id("b")]?.status == .expired)
    }

    @Test func `sends more small occurrences at once than its limit`() async throws {
        let names = (0..<200).map { "c\(1_000 + $0)" }
        let plan = try await scene.plan(try names.map { try campaign($0, 0, 1, 2) })
        // No answer comes before the first request of each occurrence.
        let all = StopSignal()
        let count = Mutex(0)
        let transport = ScriptedTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 3 * names.count { all.raise() }
            return .acceptedAfter(all)
        }
        let report = try #require(
            await perform(plan, occurrences: 1, requests: 600, to: transport)
        )
        #expect(report.error == nil)
        #expect(report.sends.count == names.count)
        #expect(report.tally[.accepted] == 3 * names.count)
    }

    @Test func `after an error, what is in progress ends`() async throws {
        let plan = try await scene.plan([try campaign("a", 0), try campaign("b", 1, 2)])
        let ended = StopSignal()
        let a = try scene.id("a")
        let tokens = scene.tokens(0...2)
        let transport = ScriptedTransport { call in
            call.token == tokens[0]
                ? .refusal(403, "PERMISSION_DENIED") : .acceptedAfter(ended)
        }
        let raise: @Sendable (ApplyEvent) -> Void = { event in
            if event == .ended(.sending(a)) { ended.raise() }
        }
        let report = try #require(await perform(plan, to: transport, report: raise))
        #expect(report.error == .refused(reason: "403 PERMISSION_DENIED: words"))
        #expect(try report.sends.map(\.occurrence) == [a, scene.id("b")])
        #expect(report.sends[1].tally[.accepted] == 2)
        #expect(try await scene.store.runs(limit: 1).first?.status == .stopped)
    }

    @Test func `after an error, nothing starts`() async throws {
        let plan = try await scene.plan([try campaign("a", 0), try campaign("b", 1, 2)])
        let transport = ScriptedTransport { _ in .refusal(403, "PERMISSION_DENIED") }
        let report = try #require(await perform(plan, occurrences: 1, to: transport))
        #expect(report.error == .refused(reason: "403 PERMISSION_DENIED: words"))
        #expect(transport.seen.compactMap(\.token) == scene.tokens(0...0))
        #expect(report.sends.count == 1)
        #expect(report.notBegun == 2)
    }

    @Test func `sends what becomes due while a long send lasts, in the same run`() async throws {
        let long = try campaign("long", 0)
        let later = try campaign("later", 1)
        let plan = try await scene.plan([long])
        let sent = StopSignal()
        let tokens = scene.tokens(0...1)
        let transport = ScriptedTransport { call in
            if call.token == tokens[0] { return .acceptedAfter(sent) }
            sent.raise()
            return .accepted
        }
        let looks = Mutex<[Set<SendPart>]>([])
        let look: ServiceWindow.Look = { busy in
            looks.withLock { $0.append(busy) }
            // The long campaign is not in the files of this plan; that must not end it.
            return (try? await scene.plan([later])).map { DueWork(plan: $0, next: nil) }
        }
        let report = await perform(
            plan,
            to: transport,
            isWhole: false,
            next: PlanScene.now,
            look: look
        )
        #expect(report?.error == nil)
        #expect(
            try report?.sends.map(\.occurrence) == [scene.id("long"), scene.id("later")]
        )
        #expect(looks.withLock { $0 } == [[SendPart(campaign: long.id)]])
        #expect(report?.notBegun == 0)
        #expect(try await scene.store.runs(limit: 9).count == 1)
    }

    @Test func `a whole window does not look for more`() async throws {
        let plan = try await scene.plan([try campaign("a", 0)])
        let look: ServiceWindow.Look = { _ in
            Issue.record("it looked")
            return nil
        }
        let report = await perform(
            plan,
            to: ScriptedTransport(),
            next: PlanScene.now,
            look: look
        )
        #expect(report?.sends.count == 1)
    }
}
