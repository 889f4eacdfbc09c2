import CampaignModel
import FCMWire
import HTTPTransport
import JSON
import Planning
import RegistrationLists
import RunControl
import State
import StoreConformance
import Synchronization
import Testing
import Time

@testable import Applying

/// Sends of environments with a frequency cap, on Friday, 2027-01-15, at 08:00 UTC.
@Suite(.timeLimit(.minutes(5)))
struct CapApplyTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    /// Two registrations of ana, one of bo in Tokyo and one of cy.
    private func people() throws -> RegistrationList {
        let rows = [(0, "ana", "UTC"), (1, "bo", "Asia/Tokyo"), (2, "ana", "UTC"), (3, "cy", "")]
        let lines = try rows.map { "\(try scene.registration($0.0).token),\($0.1),\($0.2)\n" }
        try scene.write("token,person,zone\n" + lines.joined(), to: "people.csv")
        return .described(
            RegistrationFile(
                path: "people.csv",
                format: .csv,
                kind: .token,
                column: "token",
                identity: "person",
                reading: .atApply,
                timeZone: "zone"
            )
        )
    }

    private func campaign(_ name: String, exempt: Bool = false) throws -> Campaign {
        try scene.campaign(name, to: .registrations(people())).cap(exempt: exempt)
    }

    /// Applies the campaigns so many hours after the scene's time, and returns the registrations
    /// that got a message.
    private func apply(
        _ campaigns: [Campaign],
        after hours: Int64 = 0,
        guards: GuardBasis = .capped(day: 1),
        to transport: ScriptedTransport = ScriptedTransport()
    ) async throws -> (sent: [Int], report: ApplyReport) {
        let now = PlanScene.now.advanced(bySeconds: hours * 3_600)
        let plan = try await scene.plan(campaigns, guards: guards, at: now)
        let report = await scene.apply(plan, to: transport, clock: .fixed(now))
        #expect(report.error == nil)
        let sent = transport.seen.compactMap(\.token).compactMap {
            Int($0.dropFirst("SECRET:device-".count))
        }
        return (sent.sorted(), report)
    }

    @Test func `people over the cap are suppressed on all their devices`() async throws {
        #expect(try await apply([campaign("a")]).sent == [0, 1, 2, 3])
        let (sent, report) = try await apply([campaign("a"), campaign("b")])
        #expect(sent == [])
        #expect(report.sends.map(\.capped) == [4])
        let record = try await scene.record(of: "b")
        #expect(record.status == .finished)
        #expect(record.unit?.capped == 4)
        #expect(record.unit?.tally == StoreFixtures.tally([.suppressed: 4]))
        let unit = try #require(record.unit?.id)
        #expect(
            try await scene.store.details(of: unit, in: 0..<4)
                == [0: "cap", 1: "cap", 2: "cap", 3: "cap"]
        )
    }

    @Test func `whoever follows a send counts what the cap suppressed`() async throws {
        _ = try await apply([campaign("a")])
        _ = try await apply([campaign("a"), campaign("b")])
        let follower = SendFollower(
            store: scene.store,
            fingerprinter: scene.fingerprinter,
            clock: .fixed(PlanScene.now),
            stop: StopSignal(),
            report: { _ in }
        )
        let ids = [try scene.id("a"), try scene.id("b")]
        let followed = try await follower.result(of: ids).get()
        #expect(followed.sends.map(\.capped) == [0, 4])
        #expect(followed.sends.map(\.cameToNothing) == [false, false])
    }

    @Test func `a new day begins in the person's zone`() async throws {
        _ = try await apply([campaign("a")])
        // 16:00 UTC is tomorrow in Tokyo.
        #expect(try await apply([campaign("a"), campaign("b")], after: 8).sent == [1])
        #expect(try await apply([campaign("b"), campaign("c")], after: 16).sent == [0, 2, 3])
    }

    @Test func `rejected messages do not count, and unknown ones do`() async throws {
        let lost = TransportError(fate: .perhapsSent, reason: .timedOut, detail: "timed out")
        let transport = ScriptedTransport { call in
            call.token == "SECRET:device-2"
                ? .failure(lost) : .refusal(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT")
        }
        _ = try await apply([campaign("a")], to: transport)
        #expect(try await apply([campaign("a"), campaign("b")]).sent == [1, 3])
    }

    @Test func `an exempt send reaches all people and counts for later ones`() async throws {
        _ = try await apply([campaign("a")])
        let storm = try campaign("storm", exempt: true)
        #expect(try await apply([campaign("a"), storm]).sent == [0, 1, 2, 3])
        let guards = GuardBasis.capped(day: 2)
        #expect(
            try await apply([campaign("a"), storm, campaign("b")], guards: guards).sent == []
        )
        let three = GuardBasis.capped(day: 3)
        #expect(
            try await apply([storm, campaign("b"), campaign("c")], guards: three).sent
                == [0, 1, 2, 3]
        )
    }

    @Test func `a list that is read when its send begins is capped`() async throws {
        let first = try scene.campaign("a", to: .registrations(scene.inline(1)))
        #expect(try await apply([first]).sent == [1])
        try scene.writeLater(0..<3)
        let second = try scene.campaign("b", to: .registrations(scene.listAtSend()))
        let (sent, report) = try await apply([first, second])
        #expect(sent == [0, 2])
        #expect(report.sends.map(\.capped) == [1])
    }

    @Test func `the week of a person limits, too`() async throws {
        let guards = GuardBasis.capped(week: 1)
        _ = try await apply([campaign("a")], guards: guards)
        #expect(
            try await apply([campaign("a"), campaign("b")], after: 48, guards: guards).sent == []
        )
        // Monday.
        #expect(
            try await apply([campaign("b"), campaign("c")], after: 72, guards: guards).sent
                == [0, 1, 2, 3]
        )
    }

    @Test func `a send to a topic counts for its members`() async throws {
        try await scene.join(1, 3)
        let audience = try scene.audience(scene.inline(1, 3))
        let plan = try await scene.plan(
            [scene.campaign("a")],
            audiences: [audience],
            guards: .capped(day: 1)
        )
        _ = await scene.apply(plan, to: ScriptedTransport())
        let later = try await scene.plan(
            [scene.campaign("a"), campaign("b")],
            audiences: [audience],
            guards: .capped(day: 1)
        )
        let transport = ScriptedTransport()
        _ = await scene.apply(later, to: transport)
        #expect(transport.seen.compactMap(\.token).sorted() == scene.tokens([0, 2]))
    }

    @Test func `a resumed send decides about the rest again`() async throws {
        let list = try scene.file(0..<60)
        let campaign = try scene.campaign("a", to: .registrations(list))
        let stop = StopSignal()
        let cut = ScriptedTransport { call in
            if call.number == 10 { stop.raise() }
            return .accepted
        }
        let plan = try await scene.plan([campaign], guards: .capped(day: 1))
        _ = await scene.apply(plan, to: cut, stop: stop, parallelism: 4)
        let sent = Set(cut.seen.compactMap(\.token))
        #expect(sent.count < 60)
        // Another campaign reaches all others first.
        let other = try scene.campaign("b", to: .registrations(list))
        let second = ScriptedTransport()
        let between = try await scene.plan(
            [campaign, other],
            selection: Selection(
                only: Selection.Part(campaigns: [other.id]),
                except: Selection.Part()
            ),
            guards: .capped(day: 1)
        )
        _ = await scene.apply(between, to: second)
        let reached = Set(second.seen.compactMap(\.token))
        #expect(reached.isDisjoint(with: sent))
        #expect(reached.union(sent).count == 60)
        let third = ScriptedTransport()
        let rest = try await scene.plan([campaign, other], guards: .capped(day: 1))
        _ = await scene.apply(rest, to: third)
        #expect(third.seen.isEmpty)
        #expect(try await scene.record(of: "a").status == .finished)
        #expect(try await scene.record(of: "a").unit?.capped == 60 - sent.count)
    }

    @Test func `no registration is in what is kept of people`() async throws {
        _ = try await apply([campaign("a")])
        let unit = try #require(try await scene.record(of: "a").unit?.id)
        let record = try #require(try await scene.store.people(of: unit))
        let people = try #require(try await scene.store.people(record))
        let expected = try scene.fingerprints(0, 1, 2, 3).map(\.high)
        #expect(people.registrations == expected)
        #expect(people.identities?[0] == people.identities?[2])
        #expect(people.zones == ["UTC", "Asia/Tokyo"])
        #expect(people.zoneNumbers == [1, 2, 1, 0])
    }
}
