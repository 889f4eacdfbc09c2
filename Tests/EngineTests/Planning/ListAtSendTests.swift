import CampaignModel
import JSON
import RegistrationLists
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Plans with lists that are read when their sends begin.
struct ListAtSendTests {
    private var guarded: GuardedScene
    private var scene: PlanScene { guarded.scene }

    init() throws {
        guarded = try GuardedScene()
    }

    private func call(
        _ list: RegistrationList? = nil,
        title: String = "Hello",
        schedule: Schedule = .immediate
    ) throws -> Campaign {
        try scene.campaign(
            to: .registrations(list ?? scene.listAtSend()),
            title: title,
            schedule: schedule
        )
    }

    /// The list in the reviewed definition of the only campaign.
    private func reviewedList(_ plan: Plan) -> JSONValue? {
        plan.reviewed.campaigns.values.first?["definition"]?["list"]
    }

    // MARK: Plan

    @Test func `a missing list is planned without a count`() async throws {
        let plan = try await scene.plan([try call()])
        #expect(plan.campaigns.map(\.audience) == [.listAtSend(name: "later.txt")])
        let send = try #require(plan.sends.first)
        #expect(send.target.listAtSend?.content == ListContent(scene.listAtSend()))
        #expect(send.target.count == nil)
        #expect(!send.isFanOut)
        #expect(send.remaining == 0)
        #expect(PlanSummary(plan).requests == 0)
        #expect(!send.policy.stopsAtUnknown)
    }

    @Test func `a later send is scheduled without its list`() async throws {
        let campaign = try call(schedule: .at(PlanScene.moment(3_600)))
        let plan = try await scene.plan([campaign])
        #expect(
            plan.campaigns.map(\.step)
                == [.schedule(try scene.id("sale"), PlanScene.moment(3_600))]
        )
        try await scene.remember(plan)
        try scene.writeLater(0..<3)
        #expect(try await scene.step(campaign) == .unchanged)
    }

    @Test func `a list that is also kept subscribed is known only when sent`() async throws {
        try scene.writeLater(0..<3)
        let audience = try scene.audience(scene.listAtSend())
        let plan = try await scene.plan([try call()], audiences: [audience])
        #expect(plan.memberships.map(\.joins.count) == [3])
        #expect(plan.sends.map(\.target.count) == [nil])
        #expect(reviewedList(plan)?["count"] == nil)
    }

    @Test func `a source is not needed before the send begins`() async throws {
        let source = try #require(ListSourceID("vips"))
        let list = RegistrationList.described(
            RegistrationFile(
                path: RegistrationFile.path(of: source),
                format: .csv,
                kind: .fid,
                column: "registration",
                identity: nil,
                reading: .atSend,
                source: source
            )
        )
        let origin = ListSource.Origin.command(SourceCommand(arguments: ["./export"]))
        let plan = try await scene.plan(
            [try call(list)],
            sources: [source: ListSource(id: source, origin: origin, format: .csv)]
        )
        #expect(plan.unread.isEmpty)
        #expect(plan.isWhole)
        #expect(plan.sends.count == 1)
        #expect(
            reviewedList(plan) == [
                "read": "at_send", "kind": "fid", "column": "registration",
                "source": [
                    "name": "vips", "format": "csv", "timeout": 60, "command": ["./export"],
                ],
            ]
        )
    }

    @Test func `only a list that the plan reads is stored while it is read`() async throws {
        let file = try scene.file(0..<2)
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "UTC",
            topics: [:],
            environments: [],
            campaigns: [try call(), try scene.campaign("now", to: .registrations(file))],
            audiences: [],
            devices: []
        )
        #expect(try await project.listsToStore(scene.store) == [ListContent(file)])
    }

    // MARK: Digest

    @Test func `the digest covers the definition of the list and not its rows`() async throws {
        let missing = try await scene.plan([try call()])
        try scene.writeLater(0..<3)
        let present = try await scene.plan([try call()])
        #expect(present.digest == missing.digest)
        #expect(
            reviewedList(present) == [
                "read": "at_send", "path": "later.txt", "format": "text", "kind": "token",
            ]
        )
    }

    @Test func `another definition of the list has another digest`() async throws {
        try scene.write("registration,token\na:1,b:1\n", to: "rows.csv")
        let lists: [RegistrationList] = [
            scene.listAtSend(), scene.listAtSend("other.txt"),
            scene.listAtSend("rows.csv", column: "registration"),
            scene.listAtSend("rows.csv", column: "token"),
            .described(
                RegistrationFile(
                    path: "rows.csv",
                    format: .csv,
                    kind: .token,
                    column: "token",
                    identity: nil,
                    reading: .atApply
                )
            ),
        ]
        var hashes: Set<String> = []
        for list in lists { hashes.insert(try await scene.plan([try call(list)]).digest.hash) }
        #expect(hashes.count == lists.count)
    }

    @Test func `the definition of a set contains those of its lists`() async throws {
        let staff = try scene.file(0..<2)
        let set = RegistrationList.set(
            ListSet(
                .allOf,
                of: [
                    ListSet.Part(AudienceID("active"), list: scene.listAtSend()),
                    ListSet.Part(list: try scene.inline(1, 2)),
                ],
                except: [ListSet.Part(AudienceID("staff"), list: staff)]
            )
        )
        let plan = try await scene.plan([try call(set)])
        let list = try #require(reviewedList(plan))
        #expect(list["read"] == "at_send")
        #expect(list["operation"] == "all_of")
        #expect(list["identity"] == [])
        #expect(
            list["lists"]?.arrayValue?.first == [
                "path": "later.txt", "format": "text", "kind": "token", "list": "active",
            ]
        )
        #expect(list["lists"]?.arrayValue?.last?["inline"]?.stringValue?.count == 64)
        #expect(list["except"]?.arrayValue?.first?["list"] == "staff")
        #expect(try await self.scene.plan([try call(set)]).digest == plan.digest)
    }

    @Test func `a column's default is a part of the definition`() async throws {
        func list(of standard: String?) async throws -> JSONValue? {
            let list = scene.listAtSend("rows.csv", column: "registration")
            let audience = Audience(
                id: try #require(AudienceID("all")),
                about: nil,
                list: list,
                subscribe: nil,
                columns: ["name": ListColumn(standard: standard)]
            )
            let plain = try call(list, title: "Hello {{name}}")
            let campaign = Campaign(
                id: plain.id,
                about: nil,
                owner: nil,
                target: plain.target,
                audience: audience.id,
                content: plain.content,
                delivery: plain.delivery,
                schedule: plain.schedule
            )
            return reviewedList(try await scene.plan([campaign], audiences: [audience]))
        }
        #expect(try await list(of: nil)?["columns"] == ["name": .null])
        #expect(try await list(of: "you")?["columns"] == ["name": "you"])
    }

    @Test func `a list that is read earlier changes a scheduled campaign`() async throws {
        let schedule = Schedule.at(PlanScene.moment(3_600))
        try await scene.remember(try await scene.plan([try call(schedule: schedule)]))
        let now = try call(try scene.file(0..<2), schedule: schedule)
        let changed = CampaignStep.redefine(try scene.id("sale"), PlanScene.moment(3_600))
        #expect(try await scene.step(now) == changed)
    }

    // MARK: Guards

    @Test func `the plan does not refuse a list whose size is unknown`() async throws {
        var guarded = guarded
        guarded.limit(recipients: 2, change: "30%", sends: 2)
        try scene.writeLater(0..<5)
        #expect(try await guarded.plan([try call()]).guards.isEmpty)
    }

    /// The guards of the only send, whose previous list had `last` registrations.
    private func guards(
        acknowledging reach: Int? = nil,
        losing change: Int? = nil,
        bypassing bypassed: Set<Guard> = [],
        last: Int? = nil
    ) async throws -> GuardsAtSend {
        var guarded = guarded
        guarded.limit(recipients: 100, change: "30%", sends: 150)
        guarded.settings.bypassed = bypassed
        let campaign = try guarded.campaign(
            to: .registrations(scene.listAtSend()),
            acknowledging: reach,
            losing: change
        )
        return GuardsAtSend(
            for: campaign,
            after: last,
            in: Project(
                id: try #require(ProjectID("shop")),
                timeZone: "UTC",
                topics: [:],
                environments: [],
                campaigns: [campaign],
                audiences: [],
                devices: []
            ),
            basis: guarded.settings.basis
        )
    }

    @Test func `a list with too many registrations is refused when it is read`() async throws {
        let subject = GuardSubject.campaign(try #require(CampaignID("sale")))
        let refusal = GuardRefusal.tooManyRecipients(101, maximum: 100, acknowledged: nil)
        let guards = try await guards()
        #expect(guards.outcomes(count: 100, sends: 100) == [])
        #expect(
            guards.outcomes(count: 101, sends: 101)
                == [.refused(.maxRecipients, subject, refusal)]
        )
        let known = try await self.guards(acknowledging: 101).outcomes(count: 101, sends: 101)
        #expect(known.map(\.refusal) == [nil])
        let bypassed = try await self.guards(bypassing: [.maxRecipients])
        #expect(bypassed.outcomes(count: 101, sends: 101).map(\.verdict) == [.bypassed(refusal)])
    }

    @Test func `a list that lost too many registrations is refused when it is read`() async throws {
        let maximum = try #require(Percentage("30%"))
        let guards = try await guards(last: 10)
        #expect(guards.outcomes(count: 7, sends: 7) == [])
        #expect(
            guards.outcomes(count: 6, sends: 6).map(\.verdict)
                == [.refused(.shrunkList(from: 10, to: 6, maximum: maximum))]
        )
        let known = try await self.guards(losing: 4, last: 10).outcomes(count: 6, sends: 6)
        #expect(known.map(\.refusal) == [nil])
        #expect(try await self.guards(last: 9).outcomes(count: 1, sends: 1) == [])
    }

    @Test func `all lists of a run together have a limit`() async throws {
        let outcomes = try await guards().outcomes(count: 51, sends: 151)
        #expect(outcomes.map(\.verdict) == [.refused(.tooManySends(151, maximum: 150))])
    }

    @Test func `the list of the last send is the one to compare with`() async throws {
        let schedule = Schedule.at(PlanScene.moment(-60))
        func records(_ counts: [Int]) throws -> [OccurrenceRecord] {
            try counts.enumerated().map { number, count in
                OccurrenceRecord(
                    id: OccurrenceID(
                        campaign: try #require(CampaignID("sale")),
                        slot: .once,
                        revision: number + 1
                    ),
                    status: .finished,
                    due: PlanScene.now.advanced(bySeconds: Int64(number)),
                    message: nil,
                    unit: WorkUnitRecord(
                        id: UnitID(number: Int64(number)),
                        target: .registrations(ListID(text: "aa")),
                        count: count,
                        released: count,
                        tally: StoreFixtures.tally([.accepted: count])
                    )
                )
            }
        }
        let campaign = try call(schedule: schedule)
        let recorded = try await scene.plan([campaign]).campaigns[0].definition
        #expect(campaign.lastListCount(recorded: recorded, in: try records([])) == nil)
        #expect(campaign.lastListCount(recorded: recorded, in: try records([20, 12])) == 12)
        let other = try call(scene.listAtSend("other.txt"), schedule: schedule)
        #expect(other.lastListCount(recorded: recorded, in: try records([20, 12])) == nil)
    }
}
