import CampaignModel
import Foundation
import HTTPTransport
import JSON
import Planning
import RunControl
import Scheduling
import State
import StoreConformance
import TestSupport
import Testing
import Time

@testable import Applying
@testable import RegistrationLists

/// Lists that are read when their sends begin.
@Suite(.timeLimit(.minutes(5)))
struct ListAtSendApplyTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func call(
        _ list: RegistrationList? = nil,
        title: String = "Hello"
    ) throws -> Campaign {
        try scene.campaign(to: .registrations(list ?? scene.listAtSend()), title: title)
    }

    private func sent(_ transport: ScriptedTransport) -> [String] {
        transport.seen.compactMap(\.token).sorted()
    }

    @Test func `sends to the rows that the file has when the send begins`() async throws {
        let plan = try await scene.plan([try call()])
        try scene.writeLater(0..<3)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == nil)
        #expect(report.refusedSends.isEmpty)
        #expect(sent(transport) == scene.tokens(0..<3))
        #expect(try await scene.record().unit?.tally == StoreFixtures.tally([.accepted: 3]))
        #expect(try await scene.record().status == .finished)
    }

    @Test func `skips registrations that are dead by then`() async throws {
        let plan = try await scene.plan([try call()])
        try scene.writeLater(0..<3)
        try await scene.store.markDead(scene.fingerprints(1), at: PlanScene.now)
        let transport = ScriptedTransport()
        _ = await scene.apply(plan, to: transport)
        #expect(sent(transport) == scene.tokens([0, 2]))
        #expect(
            try await scene.record().unit?.tally
                == StoreFixtures.tally([.accepted: 2, .suppressed: 1])
        )
    }

    @Test func `a broken row refuses the send, and other sends continue`() async throws {
        let campaigns = [
            try call(), try scene.campaign("other", to: .topic(scene.topic("sport"))),
        ]
        let plan = try await scene.plan(campaigns)
        try scene.write("SECRET:device-0\nnot a registration\n", to: "later.txt")
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.map(\.topic) == ["sport"])
        let refused = try #require(report.refusedSends.first)
        #expect(try refused.occurrence == scene.id("sale"))
        #expect(refused.list == "later.txt")
        guard case .unreadable(.list(.brokenLines(let lines, _, let count))) = refused.reason
        else {
            Issue.record("\(refused.reason)")
            return
        }
        #expect(lines.map(\.number) == [2])
        #expect(count == 1)
        #expect(!refused.isRefusedByGuard)
        #expect(report.shortfall?.contains("sends whose list was refused: 1") == true)
        #expect(try await scene.store.occurrence(scene.id("sale")) == nil)
        try scene.writeLater(0..<2)
        let again = await scene.apply(try await scene.plan(campaigns), to: transport)
        #expect(again.refusedSends.isEmpty)
        #expect(sent(transport) == scene.tokens(0..<2))
    }

    @Test func `a missing file refuses the send`() async throws {
        let transport = ScriptedTransport()
        let report = await scene.apply(try await scene.plan([try call()]), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        guard
            case .unreadable(.list(.unreadable("later.txt", let reason)))? =
                report.refusedSends.first?.reason
        else {
            Issue.record("\(report.refusedSends)")
            return
        }
        #expect(reason.isMissing)
    }

    @Test func `missing values refuse the send with the first line`() async throws {
        let list = scene.listAtSend("rows.csv", column: "registration")
        let plan = try await scene.plan([try call(list, title: "Hello {{name}}")])
        try scene.write("registration,name\na:1,Ana\na:2,\na:3,\n", to: "rows.csv")
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(transport.seen.isEmpty)
        #expect(
            report.refusedSends.map(\.reason) == [
                .missingValues(
                    MessageSurvey.MissingValues(column: "name", count: 2, line: 3, path: nil)
                )
            ]
        )
        try scene.write("registration,nickname\na:1,Ana\n", to: "rows.csv")
        let other = await scene.apply(plan, to: transport)
        #expect(other.refusedSends.map(\.reason) == [.missingColumn("name")])
        try scene.write("registration,name\na:1,Ana\na:2,Bo\n", to: "rows.csv")
        _ = await scene.apply(plan, to: transport)
        let titles = transport.seen.map { $0.body["message"]?["notification"]?["title"] }
        #expect(Set(titles) == ["Hello Ana", "Hello Bo"])
    }

    @Test func `a set is formed from the rows of the due time`() async throws {
        let staff = try scene.file(1..<2)
        let set = RegistrationList.set(
            ListSet(
                of: [ListSet.Part(list: scene.listAtSend())],
                except: [ListSet.Part(AudienceID("staff"), list: staff)]
            )
        )
        let plan = try await scene.plan([try call(set)])
        #expect(plan.campaigns.map(\.audience) == [.listAtSend(name: "later.txt")])
        #expect(plan.campaigns.map(\.composition) == [nil])
        let transport = ScriptedTransport()
        let missing = await scene.apply(plan, to: transport)
        #expect(missing.refusedSends.map(\.list) == ["later.txt"])
        try scene.writeLater(0..<3)
        let report = await scene.apply(plan, to: transport)
        #expect(report.refusedSends.isEmpty)
        #expect(sent(transport) == scene.tokens([0, 2]))
    }

    @Test func `a message that is too large for a row refuses the send`() async throws {
        let list = scene.listAtSend("rows.csv", column: "registration")
        let plan = try await scene.plan([try call(list, title: "Hello {{name}}")])
        let long = String(repeating: "a", count: 5_000)
        try scene.write("registration,name\na:1,Ana\na:2,\(long)\n", to: "rows.csv")
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(transport.seen.isEmpty)
        guard case .tooLarge(let longest)? = report.refusedSends.first?.reason else {
            Issue.record("\(report.refusedSends)")
            return
        }
        #expect(longest.line == 3)
        #expect(longest.bytes > 5_000)
    }

    @Test func `a guard refuses a list with too many registrations`() async throws {
        var guarded = try GuardedScene()
        guarded.limit(recipients: 2)
        let scene = guarded.scene
        let campaign = try scene.campaign(to: .registrations(scene.listAtSend()))
        let plan = try await guarded.plan([campaign])
        try scene.writeLater(0..<3)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(transport.seen.isEmpty)
        let refused = try #require(report.refusedSends.first)
        #expect(refused.isRefusedByGuard)
        #expect(
            refused.reason
                == .guards([
                    .refused(
                        .maxRecipients,
                        .campaign(campaign.id),
                        .tooManyRecipients(3, maximum: 2, acknowledged: nil)
                    )
                ])
        )
        try scene.writeLater(0..<2)
        _ = await scene.apply(try await guarded.plan([campaign]), to: transport)
        #expect(sent(transport) == scene.tokens(0..<2))
    }

    @Test func `the limit of a run counts lists that were read before`() async throws {
        var guarded = try GuardedScene()
        guarded.limit(sends: 5)
        let scene = guarded.scene
        let campaigns = [
            try scene.campaign("first", to: .registrations(scene.listAtSend())),
            try scene.campaign("second", to: .registrations(scene.listAtSend())),
        ]
        let plan = try await guarded.plan(campaigns)
        #expect(plan.refusals.isEmpty)
        try scene.writeLater(0..<3)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(report.refusedSends.map(\.occurrence.campaign.rawValue) == ["second"])
        #expect(sent(transport) == scene.tokens(0..<3))
    }

    @Test func `sends to the rows that were checked`() async throws {
        let plan = try await scene.plan([try call()])
        try scene.writeLater(0..<3)
        let transport = ScriptedTransport()
        let file = URL(fileURLWithPath: scene.folder.path + "/later.txt")
        let reader = FolderListReader(scene) {
            try? Data("SECRET:device-7\n".utf8).write(to: file)
        }
        let report = await scene.apply(plan, to: transport, lists: reader)
        #expect(report.error == nil)
        #expect(report.refusedSends.isEmpty)
        #expect(sent(transport) == scene.tokens(0..<3))
    }

    @Test func `an interrupted send continues with the rows of its first reading`() async throws {
        let campaign = try call()
        try scene.writeLater(0..<300)
        let stop = StopSignal()
        let transport = ScriptedTransport { call in
            if call.number == 100 { stop.raise() }
            return .accepted
        }
        let plan = try await scene.plan([campaign])
        let report = await scene.apply(plan, to: transport, stop: stop)
        #expect(report.error == .interrupted)
        #expect(try await scene.record().status == .dispatching)
        try scene.writeLater(500..<600)
        let rest = try await scene.plan([campaign])
        let send = try #require(rest.sends.first)
        guard case .stored = send.target else {
            Issue.record("\(send.target)")
            return
        }
        #expect(rest.notices.isEmpty)
        #expect(rest.reviewed.isEmpty)
        _ = await scene.apply(rest, to: transport)
        #expect(sent(transport) == scene.tokens(0..<300).sorted())
        #expect(try await scene.record().status == .finished)
    }

    @Test func `a rule reads its list for each slot`() async throws {
        let plain = try scene.rule("0 * * * *")
        let campaign = Campaign(
            id: plain.id,
            about: nil,
            owner: nil,
            target: .registrations(scene.listAtSend()),
            audience: nil,
            content: plain.content,
            delivery: plain.delivery,
            schedule: plain.schedule,
            timeliness: plain.timeliness
        )
        let transport = ScriptedTransport()
        for (hour, numbers) in [(0, 0..<0), (1, 0..<2), (2, 2..<5)] {
            let now = PlanScene.now.advanced(bySeconds: Int64(hour) * 3_600)
            if !numbers.isEmpty { try scene.writeLater(numbers) }
            let plan = try await scene.plan([campaign], at: now)
            let report = await scene.apply(plan, to: transport, clock: .fixed(now))
            #expect(report.refusedSends.isEmpty)
        }
        #expect(sent(transport) == scene.tokens(0..<5))
    }
}
