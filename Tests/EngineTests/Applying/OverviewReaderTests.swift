import CampaignModel
import FCMWire
import HTTPTransport
import JSON
import RegistrationLists
import SQLiteStore
import State
import StoreConformance
import Testing
import Time

@testable import Applying
@testable import RunControl

struct OverviewReaderTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private var reader: OverviewReader {
        OverviewReader(
            store: scene.store,
            fingerprinter: scene.fingerprinter,
            zones: TimeZoneDatabase.system(environment: [:]),
            zone: "UTC",
            now: PlanScene.now
        )
    }

    private func sending(_ name: String = "sale") async throws -> OccurrenceOverview {
        let id = try scene.id(name)
        return try #require(try await reader.overview(of: .all).occurrences.first { $0.id == id })
    }

    private func unknowns(_ limit: Int = .max) async throws -> [SendProblem] {
        var problems: [SendProblem] = []
        try await reader.forEachUnknown(of: sending()) { problem in
            problems.append(problem)
            return problems.count < limit
        }
        return problems
    }

    private func counts(_ change: (inout RequestCounts) -> Void) -> RequestCounts {
        var counts = RequestCounts()
        change(&counts)
        return counts
    }

    @Test
    func `released requests without an outcome are in flight only while a process holds the lock`()
        async throws
    {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3, 4)))
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .unknown, .intended, .returned], of: unit)
        #expect(
            try await sending().counts
                == counts { ($0.notSent, $0.accepted, $0.unknown) = (2, 1, 2) }
        )
        #expect(try await reader.overview(of: .all).writer == .nobody)
        #expect(
            try await unknowns() == [
                SendProblem(fingerprint: try scene.fingerprints(1)[0], reason: "cut off"),
                SendProblem(fingerprint: try scene.fingerprints(2)[0], reason: "cut off"),
            ]
        )
        #expect(try await unknowns(1).count == 1)
        let writer = try SQLiteStore.open(path: scene.folder.path + "/dev.sqlite")
        try await writer.lock(for: StoreFixtures.worker, waiting: .zero)
        #expect(try await reader.overview(of: .all).writer == .somebody(StoreFixtures.worker))
        #expect(
            try await sending().counts
                == counts { ($0.notSent, $0.inFlight, $0.accepted, $0.unknown) = (2, 1, 1, 1) }
        )
        #expect(try await unknowns().map(\.fingerprint) == [scene.fingerprints(1)[0]])
        await writer.unlock()
        #expect(try await reader.overview(of: .all).writer == .nobody)
    }

    @Test func `reports stopped, held, scheduled and finished occurrences`() async throws {
        let topic = try await scene.begin(scene.campaign("halted"))
        try await scene.record([.unknown], of: topic)
        _ = try await scene.begin(scene.campaign("held", to: .registrations(scene.inline(0))))
        try await scene.store.hold(scene.id("held"), with: .refusedPayload)
        let done = try await scene.begin(scene.campaign("done"))
        try await scene.record([.accepted], of: done)
        try await scene.store.close(scene.id("done"), as: .finished)
        try await scene.remember(
            scene.plan([scene.campaign("later", schedule: .at(PlanScene.moment(60)))])
        )
        #expect(try await sending("halted").phase == .stopped)
        #expect(try await sending("held").phase == .held(.refusedPayload))
        #expect(try await sending("done").phase == .finished)
        #expect(try await sending("later").phase == .scheduled)
        #expect(try await sending("later").due == PlanScene.moment(60))
        let only = try await reader.overview(of: .of([scene.id("held").campaign]))
        #expect(only.occurrences.map(\.id) == [try scene.id("held")])
    }

    @Test(
        arguments: [
            (nil, nil), ("2027-01-20 00:00", nil), (nil, "2027-06-01 00:00"),
            ("2027-01-20 00:00", "2027-06-01 00:00"),
        ] as [(String?, String?)]
    )
    func `a due time is in the zone of its schedule`(from: String?, until: String?) async throws {
        let rule = try scene.rule("30 7 * * 1,3,5", from: from, until: until)
        try await scene.remember(scene.plan([rule]))
        let occurrence = try #require(try await reader.overview(of: .all).occurrences.first)
        #expect(occurrence.due.zone == "Europe/Berlin")
        #expect(occurrence.due.local.description.hasSuffix(" 07:30"))
    }

    @Test func `counts retried requests`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1, 2))))
        let outcomes = [
            RequestOutcome(index: 0, outcome: .accepted, detail: "repeated after 503 UNAVAILABLE"),
            RequestOutcome(index: 1, outcome: .rejected, detail: "UNREGISTERED"),
            RequestOutcome(
                index: 2,
                outcome: .rejected,
                detail: "UNREGISTERED, repeated after 500"
            ),
        ]
        try await scene.store.record(outcomes, released: 3, of: unit.id)
        #expect(try await sending().repeated == 2)
    }

    @Test func `returns the message IDs of a list with their registrations`() async throws {
        let plain = try scene.campaign(to: .registrations(scene.inline(0, 1)))
        let campaign = Campaign(
            id: plain.id,
            about: nil,
            owner: nil,
            target: plain.target,
            audience: nil,
            content: plain.content,
            delivery: plain.delivery,
            schedule: plain.schedule,
            policy: SendingPolicy(
                onUnknown: nil,
                rollout: nil,
                acknowledgement: nil,
                holdOut: nil,
                record: .ids
            )
        )
        let report = await scene.apply(try await scene.plan([campaign]), to: ScriptedTransport())
        #expect(report.error == nil)
        var sent: [SentMessage] = []
        try await reader.forEachMessageID(of: #require(try await sending().unit)) {
            sent.append($0)
        }
        #expect(sent.map(\.fingerprint) == (try scene.fingerprints(0, 1)))
        #expect(
            Set(sent.map(\.id)) == ["projects/shop-1/messages/1", "projects/shop-1/messages/2"]
        )
    }

    @Test func `a run reports its sends, with the message ID of a topic`() async throws {
        let list = try scene.campaign("list", to: .registrations(scene.inline(0, 1, 2)))
        let transport = ScriptedTransport { call in
            switch call.token {
            case "SECRET:device-1": .refusal(404, "NOT_FOUND", "UNREGISTERED")
            case "SECRET:device-2":
                .failure(TransportError(fate: .perhapsSent, reason: .timedOut, detail: "silence"))
            default: .accepted
            }
        }
        let plan = try await scene.plan(
            [list, scene.campaign("topic")],
            audiences: [scene.audience(scene.inline(5))]
        )
        _ = await scene.apply(plan, to: transport)
        let run = try #require(try await reader.run(1))
        #expect(run.run.status == .complete)
        #expect(
            run.memberships == [
                RunMembership(
                    scope: try StoreFixtures.scope("all", "news"),
                    joined: 1,
                    left: 0,
                    refused: 0
                )
            ]
        )
        try #require(run.sendings.count == 2)
        #expect(
            run.sendings[0].sending
                == RunOccurrence(
                    occurrence: try scene.id("list"),
                    tally: StoreFixtures.tally([.accepted: 1, .rejected: 1, .unknown: 1]),
                    problems: [
                        RunProblem(
                            kind: .rejected,
                            registration: try scene.fingerprints(1)[0].description,
                            reason: "UNREGISTERED"
                        ),
                        RunProblem(
                            kind: .unknown,
                            registration: try scene.fingerprints(2)[0].description,
                            reason: "silence"
                        ),
                    ]
                )
        )
        #expect(run.sendings[1].messageID?.hasPrefix("projects/shop-1/messages/") == true)
        #expect(try await reader.run(2)?.run.id == nil)
    }
}
