import Applying
import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import Memberships
import Planning
import RegistrationLists
import RunControl
import State
import Synchronization
import TestSupport
import Testing
import Time

struct ApplierTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    @Test func `performs all leaves, then all joins, then the sends`() async throws {
        try await scene.join(0, 1, topic: "a")
        try await scene.join(5, audience: "other", topic: "b")
        let plan = try await scene.plan(
            [scene.campaign("one"), scene.campaign("two", to: .topic(scene.topic("late")))],
            audiences: [
                scene.audience(scene.inline(1, 2), in: ["a"]),
                scene.audience(scene.inline(6, 7), named: "other", in: ["b"]),
            ]
        )
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == nil)
        let steps = transport.seen.map { call in
            "\(call.url.dropFirst(18)) \(call.batch ?? [call.topic ?? ""])"
        }
        #expect(
            steps == [
                #"/iid/v1:batchRemove ["SECRET:device-0"]"#,
                #"/iid/v1:batchRemove ["SECRET:device-5"]"#,
                #"/iid/v1:batchAdd ["SECRET:device-2"]"#,
                #"/iid/v1:batchAdd ["SECRET:device-6", "SECRET:device-7"]"#,
                #"/v1/projects/shop-1/messages:send ["news"]"#,
                #"/v1/projects/shop-1/messages:send ["late"]"#,
            ]
        )
        #expect(report.memberships.joined == 3)
        #expect(report.memberships.left == 2)
        #expect(report.sends.map(\.tally[.accepted]) == [1, 1])
        #expect(
            try await scene.plan(
                [scene.campaign("one"), scene.campaign("two", to: .topic(scene.topic("late")))],
                audiences: [
                    scene.audience(scene.inline(1, 2), in: ["a"]),
                    scene.audience(scene.inline(6, 7), named: "other", in: ["b"]),
                ]
            ).hasChanges == false
        )
    }

    @Test(.covers("A45", "C84", "F1.1-method", "F2.1-headers"))
    func `sends requests as FCM documents them`() async throws {
        let campaign = try scene.campaign(
            fields: ["notification": ["title": "A"]],
            delivery: Delivery(timeToLive: TimeToLive(seconds: 90), priority: nil, collapse: nil)
        )
        let list = try scene.audience(scene.inline(0))
        let transport = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([campaign], audiences: [list]), to: transport)
        let calls = transport.seen
        try #require(calls.count == 2)
        #expect(calls[0].url == "http://127.0.0.1:1/iid/v1:batchAdd")
        #expect(
            calls[0].body == ["to": "/topics/news", "registration_tokens": ["SECRET:device-0"]]
        )
        #expect(
            calls[0].headers == [
                HTTPHeader(name: "Authorization", value: "Bearer owner"),
                HTTPHeader(name: "Content-Type", value: "application/json; charset=UTF-8"),
                HTTPHeader(name: "access_token_auth", value: "true"),
            ]
        )
        #expect(calls[1].url == "http://127.0.0.1:1/v1/projects/shop-1/messages:send")
        #expect(
            calls[1].body == [
                "message": [
                    "topic": "news", "notification": ["title": "A"],
                    "android": ["ttl": "90s", "notification": ["tag": "5cbb89fc16373a44"]],
                    "apns": [
                        "headers": [
                            "apns-expiration": "1800000090", "apns-collapse-id": "5cbb89fc16373a44",
                        ]
                    ],
                    "webpush": [
                        "headers": ["TTL": "90"], "notification": ["tag": "5cbb89fc16373a44"],
                    ],
                ]
            ]
        )
    }

    @Test func `records a later occurrence without sending it`() async throws {
        let campaigns = [
            try scene.campaign("later", schedule: .at(PlanScene.moment(60))),
            try scene.campaign("late", schedule: .at(PlanScene.moment(-601))),
        ]
        let transport = ScriptedTransport(
            unreachable: TransportError(fate: .notSent, reason: .refusedConnection, detail: "no")
        )
        let report = await scene.apply(try await scene.plan(campaigns), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try report.expired == [scene.id("late")])
        #expect(try await scene.record(of: "later").status == .scheduled)
        #expect(try await scene.record(of: "late").status == .expired)
        #expect(try await scene.plan(campaigns).hasChanges == false)
    }

    @Test func `detects an unreachable server before anything is recorded`() async throws {
        let transport = ScriptedTransport(
            unreachable: TransportError(
                fate: .notSent,
                reason: .refusedConnection,
                detail: "no one"
            )
        )
        let report = await scene.apply(try await scene.plan([scene.campaign()]), to: transport)
        #expect(report.error == .unreachable(reason: "no one"))
        let state = try await scene.store.appliedState()
        #expect(state.identity.serial.number == 0)
        #expect(state.definitions.isEmpty)
        #expect(state.occurrences.isEmpty)
    }

    @Test func `reports each phase with its size and progress`() async throws {
        try await scene.join(9)
        let told = Mutex<[String]>([])
        let plan = try await scene.plan(
            [scene.campaign(to: .registrations(scene.inline(0, 1)))],
            audiences: [scene.audience(scene.inline(0, 1, 2))]
        )
        // One request at a time: answers that arrive together are reported together.
        _ = await scene.apply(plan, to: ScriptedTransport(), parallelism: 1) { event in
            told.withLock { $0.append(Self.words(event)) }
        }
        #expect(
            told.withLock { $0 } == [
                "run 1", "leaving 1", "+1", "end", "joining 3", "+3", "end", "sendings 1",
                "sending 2", "+1", "+1", "end", "sent 2",
            ]
        )
    }

    private static func words(_ event: ApplyEvent) -> String {
        switch event {
        case .began(.leaving, let total): "leaving \(total)"
        case .began(.joining, let total): "joining \(total)"
        case .began(.sending, let total): "sending \(total)"
        case .progressed(let count, _, _): "+\(count)"
        case .began(.reading, let total): "reading \(total)"
        case .began(.checking, let total): "checking \(total)"
        case .ended: "end"
        case .settles(let seconds): "waits \(seconds)"
        case .runBegan(let run): "run \(run.number)"
        case .sendings(let count): "sendings \(count)"
        case .sent(let report): "sent \(report.tally.total)"
        case .pausing(let reason, _, _): "pauses: \(reason)"
        case .request, .tokenRenewed, .transportChosen: "unexpected"
        }
    }
}

// MARK: - Removed campaigns

extension ApplierTests {
    @Test func `cancels a removed campaign with its registrations`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3)))
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .returned, .unknown], of: unit)
        let transport = ScriptedTransport()
        let report = await scene.apply(try await scene.plan([]), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try await scene.record().status == .cancelled)
        #expect(try await scene.record().unit?.open == 0)
        #expect(
            try await scene.store.outcomes(of: unit.id, in: 0..<4)
                == [.accepted, .cancelled, .unknown, .cancelled]
        )
        #expect(try await scene.plan([]).campaigns == [])
        let again = await scene.apply(try await scene.plan([campaign]), to: transport)
        #expect(again.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try await scene.plan([campaign]).hasChanges == false)
    }

    @Test func `sends a scheduled campaign that was removed and added again`() async throws {
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(60)))
        let transport = ScriptedTransport()
        for campaigns in [[campaign], []] {
            _ = await scene.apply(try await scene.plan(campaigns), to: transport)
        }
        #expect(try await scene.record().status == .cancelled)
        #expect(try await scene.store.appliedState().definitions.isEmpty)
        let now = try scene.campaign(title: "Now")
        let report = await scene.apply(try await scene.plan([now]), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.count == 1)
        #expect(try await scene.record().status == .finished)
    }
}

// MARK: - Late campaigns

extension ApplierTests {
    @Test
    func `closes an occurrence whose message has expired, and expires the rest`() async throws {
        let campaign = try scene.campaign(
            to: .registrations(scene.inline(0, 1, 2, 3)),
            fields: ["notification": ["title": "A"]],
            delivery: Delivery(timeToLive: TimeToLive(seconds: 60), priority: nil, collapse: nil)
        )
        let unit = try await scene.begin(campaign)
        try await scene.record([.accepted, .returned, .unknown], of: unit)
        let late = PlanScene.now.advanced(bySeconds: 61)
        let transport = ScriptedTransport(
            unreachable: TransportError(fate: .notSent, reason: .refusedConnection, detail: "no")
        )
        let report = await scene.apply(try await scene.plan([campaign], at: late), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.isEmpty)
        #expect(try report.expired == [scene.id("sale")])
        #expect(report.sends == [])
        #expect(report.didAnything)
        #expect(try await scene.record().status == .finished)
        #expect(try await scene.record().unit?.open == 0)
        #expect(
            try await scene.store.outcomes(of: unit.id, in: 0..<4)
                == [.accepted, .expired, .unknown, .expired]
        )
        #expect(try await scene.plan([campaign], at: late).hasChanges == false)
    }

    @Test func `sends a late campaign after it is changed to be sent now`() async throws {
        let late = try scene.campaign(schedule: .at(PlanScene.moment(-601)))
        let transport = ScriptedTransport()
        _ = await scene.apply(try await scene.plan([late]), to: transport)
        #expect(try await scene.record().status == .expired)
        let now = try scene.campaign()
        let report = await scene.apply(try await scene.plan([now]), to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.map(\.topic) == ["news"])
        #expect(try await scene.record().status == .finished)
        #expect(try await scene.plan([now]).hasChanges == false)
    }
}

// MARK: - Changed lists

extension ApplierTests {
    @Test func `sends nothing to a list that changed since the plan`() async throws {
        let list = try scene.file(0..<1_500)
        let plan = try await scene.plan([scene.campaign(to: .registrations(list))])
        _ = try scene.file(0..<1_501)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == .list(.changed(path: "list.txt")))
        #expect(transport.seen.isEmpty)
        #expect(try await scene.store.appliedState().occurrences.isEmpty)
        let again = await scene.apply(
            try await scene.plan([scene.campaign(to: .registrations(list))]),
            to: transport
        )
        #expect(again.error == nil)
        #expect(transport.seen.compactMap(\.token).count == 1_501)
    }

    @Test(arguments: [[0, 1], [0, 1, 1], [0, 1, 3]])
    func `stops if a joining member is missing from the list`(now: [Int]) async throws {
        let plan = try await scene.plan(
            [scene.campaign()],
            audiences: [scene.audience(scene.file([0, 1, 2]))]
        )
        _ = try scene.file(now)
        let transport = ScriptedTransport()
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == .list(.changed(path: "list.txt")))
        #expect(transport.seen.map(\.batch) == [tokens(0, 1)])
    }

    private func tokens(_ numbers: Int...) -> [String] { scene.tokens(numbers) }

    @Test func `reports a removed list as unreadable`() async throws {
        let plan = try await scene.plan([
            scene.campaign(to: .registrations(scene.file(0..<2)))
        ])
        try runToEnd("rm", scene.folder.path + "/list.txt")
        let report = await scene.apply(plan, to: ScriptedTransport())
        guard case .list(.unreadable(let path, let reason))? = report.error else {
            Issue.record("\(String(describing: report.error))")
            return
        }
        #expect(path == "list.txt")
        #expect(reason.description == "no such file or directory")
    }
}
