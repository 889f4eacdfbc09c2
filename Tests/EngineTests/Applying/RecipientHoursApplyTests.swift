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

/// List sends that quiet hours hold in the time zones of the recipients.
@Suite(.timeLimit(.minutes(5)))
struct RecipientHoursApplyTests {
    private let scene: PlanScene
    /// The end of the quiet hours in UTC, and of those in Berlin.
    private let end: Instant
    private let berlinEnd: Instant

    init() throws {
        scene = try PlanScene()
        end = try QuietScene.instant(QuietScene.end)
        berlinEnd = end.advanced(bySeconds: -3_600)
    }

    private func campaign(
        zones: [String],
        at due: String? = nil,
        timeToLive: Int64? = nil
    ) throws -> Campaign {
        let now = PlanScene.now
        return try scene.campaign(
            to: .registrations(ZonedScene(scene).list(zones)),
            fields: ["notification": ["title": "Hello"]],
            delivery: Delivery(
                timeToLive: timeToLive.flatMap(TimeToLive.init(seconds:)),
                expires: nil,
                priority: nil,
                collapse: nil
            ),
            schedule: due.map {
                .at(PlanScene.moment(try QuietScene.instant($0).seconds(since: now)))
            } ?? .immediate
        )
    }

    private func plan(_ campaign: Campaign, at now: Instant) async throws -> Plan {
        try await scene.plan([campaign], guards: QuietScene.guards(), at: now)
    }

    /// Applies the campaign and returns the registrations that got a message.
    private func apply(
        _ campaign: Campaign,
        at now: Instant,
        to transport: ScriptedTransport = ScriptedTransport()
    ) async throws -> (sent: [String], report: ApplyReport) {
        let plan = try await plan(campaign, at: now)
        let report = await scene.apply(plan, to: transport, clock: .fixed(now))
        #expect(report.error == nil)
        return (transport.seen.compactMap(\.token).sorted(), report)
    }

    private func deferred(until end: Instant) throws -> [DeferredSend] {
        [DeferredSend(occurrence: try scene.id("sale"), until: end)]
    }

    @Test func `each recipient gets the message when it is day for them`() async throws {
        let zones = ["Asia/Tokyo", "UTC", "America/New_York", "Europe/Berlin", "", "Asia/Tokyo"]
        let sale = try campaign(zones: zones)
        let night = try QuietScene.instant("2027-01-15T23:30:00Z")
        let first = try await apply(sale, at: night)
        #expect(first.sent == scene.tokens([0, 2, 5]))
        #expect(first.report.deferred == (try deferred(until: berlinEnd)))
        #expect(first.report.shortfall == nil)
        let record = try await scene.record()
        #expect(record.status == .dispatching)
        #expect(record.due == berlinEnd)
        #expect(record.unit?.tally[.accepted] == 3)

        let early = try await plan(sale, at: berlinEnd.advanced(bySeconds: -1))
        #expect(early.campaigns.map(\.step) == [.unchanged])
        let second = try await apply(sale, at: berlinEnd)
        #expect(second.sent == scene.tokens([3]))
        #expect(second.report.deferred == (try deferred(until: end)))
        let third = try await apply(sale, at: end)
        #expect(third.sent == scene.tokens([1, 4]))
        #expect(third.report.deferred == [])
        #expect(try await scene.record().status == .finished)
        #expect(try await scene.record().unit?.tally == StoreFixtures.tally([.accepted: 6]))
    }

    @Test func `one person's devices wait together`() async throws {
        let rows = [(0, "ana", ""), (1, "ana", "UTC"), (2, "bo", "Asia/Tokyo"), (3, "bo", "UTC")]
        let lines = try rows.map { "\(try scene.registration($0.0).token),\($0.1),\($0.2)\n" }
        try scene.write("token,person,zone\n" + lines.joined(), to: "people.csv")
        let file = RegistrationFile(
            path: "people.csv",
            format: .csv,
            kind: .token,
            column: "token",
            identity: "person",
            reading: .atApply,
            timeZone: "zone"
        )
        let sale = try scene.campaign(to: .registrations(.described(file)))
        let night = try QuietScene.instant("2027-01-15T23:30:00Z")
        #expect(try await apply(sale, at: night).sent == scene.tokens([2, 3]))
        #expect(try await apply(sale, at: end).sent == scene.tokens([0, 1]))
    }

    @Test func `recipients for whom it is too late get nothing, and the others do`() async throws {
        let sale = try campaign(zones: ["UTC", "Asia/Tokyo"], at: "2027-01-15T23:30:00Z")
        try await scene.remember(plan(sale, at: PlanScene.now))
        // Nothing ran when it was due for Tokyo.
        let (sent, report) = try await apply(sale, at: end)
        #expect(sent == scene.tokens([0]))
        #expect(report.sends.map { $0.tally[.expired] } == [1])
        #expect(report.expired == [try scene.id("sale")])
        #expect(try await scene.record().status == .finished)
    }

    @Test func `a lifetime counts from the end of the recipient's night`() async throws {
        let sale = try campaign(zones: ["UTC", "Asia/Tokyo"], timeToLive: 3_600)
        let night = try QuietScene.instant("2027-01-15T23:30:00Z")
        #expect(try await apply(sale, at: night).sent == scene.tokens([1]))
        #expect(try await apply(sale, at: end).sent == scene.tokens([0]))
    }

    @Test func `a lifetime that is over for some recipients lasts for those who wait`() async throws
    {
        let sale = try campaign(zones: ["UTC", "Europe/Berlin", "Asia/Tokyo"], timeToLive: 600)
        let night = try QuietScene.instant("2027-01-15T23:30:00Z")
        #expect(try await apply(sale, at: night).sent == scene.tokens([2]))
        // Nothing ran in the ten minutes of Berlin's message.
        let late = try await apply(sale, at: berlinEnd.advanced(bySeconds: 1_800))
        #expect(late.sent == [])
        #expect(late.report.expired == [try scene.id("sale")])
        #expect(late.report.deferred == (try deferred(until: end)))
        #expect(try await apply(sale, at: end).sent == scene.tokens([0]))
        #expect(
            try await scene.record().unit?.tally
                == StoreFixtures.tally([.accepted: 2, .expired: 1])
        )
    }

    @Test func `quiet hours that begin during a send hold those for whom they do`() async throws {
        let zones = (0..<40).map { $0 % 2 == 0 ? "UTC" : "Pacific/Auckland" }
        let sale = try campaign(zones: zones)
        let ten = try QuietScene.instant("2027-01-15T22:00:00Z")
        let clock = try SetClock("2027-01-15T21:59:00Z")
        let isAnswered = StopSignal()
        let transport = ScriptedTransport { call in
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
        let plan = try await plan(sale, at: clock.now)
        let report = await scene.apply(plan, to: transport, parallelism: 4, clock: clock.wall)
        #expect(report.error == nil)
        #expect(report.deferred == (try deferred(until: end)))
        let sent = transport.seen.compactMap(\.token)
        let odd = scene.tokens(stride(from: 1, to: 40, by: 2))
        #expect(Set(odd).isSubset(of: sent))
        #expect(sent.count < 30)
        let rest = try await apply(sale, at: end)
        #expect((sent + rest.sent).sorted() == scene.tokens(0..<40).sorted())
        #expect(try await scene.record().status == .finished)
    }

    @Test func `those who wait when their night ends are sent by the same run`() async throws {
        let sale = try campaign(zones: ["UTC", "Asia/Tokyo", "Asia/Tokyo"])
        let clock = try SetClock("2027-01-15T23:30:00Z")
        let transport = ScriptedTransport { [end] _ in
            clock.set(end)
            return .accepted
        }
        let plan = try await plan(sale, at: clock.now)
        let report = await scene.apply(plan, to: transport, parallelism: 1, clock: clock.wall)
        #expect(report.error == nil)
        #expect(report.deferred == [])
        #expect(transport.seen.compactMap(\.token) == scene.tokens([1, 2, 0]))
        #expect(try await scene.record().status == .finished)
    }

    @Test func `a stopped run leaves those who wait for the next one`() async throws {
        let sale = try campaign(zones: (0..<80).map { $0 % 2 == 0 ? "UTC" : "Asia/Tokyo" })
        let night = try QuietScene.instant("2027-01-15T23:30:00Z")
        let stop = StopSignal()
        let transport = ScriptedTransport { _ in
            stop.raise()
            return .accepted
        }
        let plan = try await plan(sale, at: night)
        let cut = await scene.apply(
            plan,
            to: transport,
            stop: stop,
            parallelism: 1,
            clock: .fixed(night)
        )
        #expect(cut.error == .interrupted)
        let sent = transport.seen.compactMap(\.token)
        #expect((1..<40).contains(sent.count))
        #expect(try await scene.record().unit?.open == 0)
        let rest = try await apply(sale, at: night).sent
        let tokyo = scene.tokens(stride(from: 1, to: 80, by: 2))
        #expect((sent + rest).sorted() == tokyo.sorted())
        let morning = try await apply(sale, at: end).sent
        #expect(morning == scene.tokens(stride(from: 0, to: 80, by: 2)).sorted())
    }

    @Test func `the cap is decided when the recipient gets the message`() async throws {
        let list = try ZonedScene(scene).list(["UTC", "Asia/Tokyo"])
        let campaigns = try ["a", "b"].map { try scene.campaign($0, to: .registrations(list)) }
        let standard = GuardBasis().limits
        let guards = GuardBasis(
            limits: Guards(
                maximumRecipients: standard.maximumRecipients,
                maximumChange: standard.maximumChange,
                quietHours: try QuietScene.hours(),
                cap: FrequencyCap(day: 1, week: nil),
                requiresReviewedPlan: standard.requiresReviewedPlan,
                maximumSends: standard.maximumSends,
                allowsTest: standard.allowsTest
            )
        )
        var sent: [[String]] = []
        // Both are at their ends of UTC's night after the longest spread.
        for now in ["2027-01-15T23:30:00Z", "2027-01-16T07:10:00Z"] {
            let now = try QuietScene.instant(now)
            let plan = try await scene.plan(campaigns, guards: guards, at: now)
            let transport = ScriptedTransport()
            let report = await scene.apply(plan, to: transport, clock: .fixed(now))
            #expect(report.error == nil)
            sent.append(transport.seen.compactMap(\.token))
        }
        #expect(sent == [scene.tokens([1]), scene.tokens([0])])
        for name in ["a", "b"] {
            #expect(try await scene.record(of: name).status == .finished)
        }
    }
}
