import Applying
import CampaignModel
import FCMClient
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
import Time

@testable import Memberships
@testable import RunControl

/// Tests which FCM API joins and leaves use.
@Suite(.timeLimit(.minutes(5)))
struct MembershipTransportTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func plan(
        _ numbers: Int...,
        by transport: MembershipTransportChoice = .auto
    ) async throws -> Plan {
        let list = RegistrationList.inline(try numbers.map(scene.registration))
        return try await scene.plan(audiences: [scene.audience(list, by: transport)])
    }

    /// Rejects all requests to the Instance ID API.
    private static func without(
        instanceID status: Int,
        _ script: @escaping @Sendable (ScriptedTransport.Call) -> ScriptedTransport.Reply = { _ in
            .accepted
        }
    ) -> ScriptedTransport {
        let gone = ScriptedTransport.Reply.answer(status, ["error": ["message": "gone"]])
        return .telling(
            info: { $0.url.contains("/iid/") ? gone : .page([]) },
            script: { $0.url.contains("/iid/") ? gone : script($0) }
        )
    }

    @Test(
        .covers("F2.1-others"),
        arguments: ["INTERNAL", "DEADLINE_EXCEEDED", "UNKNOWN", "UNAVAILABLE"]
    )
    func `repeats an inconclusive verdict`(word: String) {
        #expect(MembershipVerdict(word) == .passing(isQuota: false))
        #expect(MembershipVerdict("RESOURCE_EXHAUSTED") == .passing(isQuota: true))
        #expect(MembershipVerdict("PERMISSION_DENIED") == .refused("PERMISSION_DENIED"))
    }

    @Test(.covers("F2.2-one-each"))
    func `joins and leaves with one registration per request`() async throws {
        let transport = ScriptedTransport()
        let joined = await scene.apply(try await plan(0, 1, 2, by: .perRegistration), to: transport)
        #expect(joined.memberships.joined == 3)
        let left = await scene.apply(try await plan(1, by: .perRegistration), to: transport)
        #expect(left.memberships.left == 2)
        let joins = transport.seen.filter { $0.method == .post }
        #expect(Set(joins.compactMap(\.single)) == Set(scene.tokens(0...2)))
        #expect(joins.allSatisfy { $0.url.hasSuffix("/topicSubscriptions?topic_name=news") })
        let leaves = transport.seen.filter { $0.method == .delete }
        #expect(Set(leaves.compactMap(\.single)) == Set(scene.tokens([0, 2])))
        #expect(leaves.allSatisfy { $0.url.hasSuffix("/news?allow_missing=true") })
        #expect(try await scene.store.membershipTransport() == nil)
    }

    @Test(.covers("F2.2-pace")) func `each registration has a separate verdict`() async throws {
        let again = Mutex<Set<String>>([])
        let transport = ScriptedTransport { call in
            let token = call.single ?? ""
            let isFirst = again.withLock { $0.insert(token).inserted }
            return switch token.last {
            case "1": .refusal(409, "ALREADY_EXISTS")
            case "2": .refusal(404, "NOT_FOUND", "UNREGISTERED")
            case "3": .refusal(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH")
            case "4" where isFirst: .refusal(503, "UNAVAILABLE")
            case "5" where isFirst: .lost(.perhapsSent)
            default: .accepted
            }
        }
        let plan = try await plan(0, 1, 2, 3, 4, 5, by: .perRegistration)
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == nil)
        #expect(transport.seen.count == 8)
        #expect(report.memberships.joined == 4)
        #expect(
            Set(report.memberships.refused.map(\.reason)) == ["NOT_FOUND", "SENDER_ID_MISMATCH"]
        )
        let found = try scene.fingerprints(2, 3)
        #expect(
            try await scene.statuses().filter { $0.value == .refused }.keys.sorted()
                == found.sorted()
        )
    }

    @Test func `only members that hit the quota wait for the pace and are repeated`() async throws {
        let stop = StopSignal()
        let transport = ScriptedTransport { _ in
            Task { stop.raise() }
            return .answer(
                429,
                ["error": ["code": 429, "status": "RESOURCE_EXHAUSTED", "message": "slow"]],
                [HTTPHeader(name: "Retry-After", value: "3600")]
            )
        }
        let plan = try await plan(0, 1, 2, by: .perRegistration)
        let report = await scene.apply(plan, to: transport, stop: stop, parallelism: 1)
        #expect(report.error == .interrupted)
        #expect(transport.seen.count == 1)
    }

    @Test func `a rejected credential ends the run`() async throws {
        let transport = ScriptedTransport { _ in .refusal(403, "PERMISSION_DENIED") }
        let plan = try await plan(0, 1, by: .perRegistration)
        let report = await scene.apply(plan, to: transport, parallelism: 1)
        #expect(report.error == .refused(reason: "403 PERMISSION_DENIED: words"))
        #expect(transport.seen.count == 1)
        #expect(try await scene.statuses().values.map(\.self) == [.joining, .joining])
    }

    @Test func `finds existing subscriptions page by page`() async throws {
        let transport = ScriptedTransport.telling(info: { ask in
            switch (ask.token.last, ask.url.contains("page_token=second")) {
            case ("0", false): .page(["a", "b"], next: "second")
            case ("0", true): .page(["news"])
            case ("1", _): .refusal(404, "NOT_FOUND", "UNREGISTERED")
            default: .page(["sport"])
            }
        })
        let report = await scene.apply(try await plan(0, 1, 2, by: .perRegistration), to: transport)
        #expect(report.memberships.external == 1)
        #expect(Set(transport.seen.compactMap(\.single)) == Set(scene.tokens([1, 2])))
    }

    @Test(.covers("F2.2-end"), arguments: [403, 404, 410])
    func `abandons unavailable batches, reports it and remembers it`(
        status: Int
    ) async throws {
        let said = Mutex<[String]>([])
        let transport = Self.without(instanceID: status)
        let report = await scene.apply(try await plan(0, 1), to: transport) { event in
            guard case .transportChosen(let chosen, let reason) = event else { return }
            said.withLock { $0.append("\(chosen.rawValue): \(reason)") }
        }
        #expect(report.error == nil)
        #expect(report.memberships.joined == 2)
        #expect(said.withLock { $0 } == ["per_registration: \(status) gone"])
        #expect(try await scene.store.membershipTransport() == .perRegistration)
        let next = ScriptedTransport()
        _ = await scene.apply(try await plan(0), to: next)
        #expect(next.seen.map(\.single) == ["SECRET:device-1"])
    }

    @Test func `leaves also switch from batches to single requests`() async throws {
        try await scene.join(0, 1, 2)
        let transport = Self.without(instanceID: 410)
        let report = await scene.apply(try await plan(0), to: transport)
        #expect(report.memberships.left == 2)
        #expect(transport.seen.map { $0.batch?.count } == [2, nil, nil])
        #expect(try await scene.statuses().count == 1)
    }

    @Test func `rejects a server without either API and remembers nothing`() async throws {
        let transport = Self.without(instanceID: 403) { _ in .refusal(403, "PERMISSION_DENIED") }
        let report = await scene.apply(try await plan(0), to: transport)
        #expect(report.error == .refused(reason: "403 PERMISSION_DENIED: words"))
        let everything = ScriptedTransport.telling(
            info: { _ in .answer(404, ["error": "Not Found"]) },
            script: { _ in .answer(404, ["error": "Not Found"]) }
        )
        let second = await scene.apply(try await plan(1), to: everything)
        #expect(second.error == .refused(reason: "404 Not Found"))
    }

    @Test func `keeps batches if they are configured`() async throws {
        let transport = ScriptedTransport { _ in .answer(403, ["error": "MismatchSenderId"]) }
        let report = await scene.apply(try await plan(0, 1, by: .batch), to: transport)
        #expect(report.error == .refused(reason: "403 MismatchSenderId"))
        #expect(transport.seen.count == 1)
        #expect(try await scene.store.membershipTransport() == nil)
    }

    @Test func `a refresh uses the other API if batches are unavailable`() async throws {
        try await scene.join(0, 1)
        let transport = ScriptedTransport.telling(info: { ask in
            guard !ask.url.contains("/iid/") else { return .answer(410, [:]) }
            return .page(ask.token.hasSuffix("0") ? ["news"] : [])
        })
        let refresh = MembershipRefresh(
            store: scene.store,
            settings: RunSettings(
                transport: transport,
                endpoint: .unused(),
                clock: .fixed(PlanScene.now),
                stop: StopSignal()
            )
        )
        let seen = try await refresh.look()
        #expect(seen.findings.all.map(\.found.count) == [1])
        #expect(try await scene.store.membershipTransport() == nil)
        _ = try await refresh.record(by: StoreFixtures.worker)
        #expect(try await scene.store.membershipTransport() == .perRegistration)
        let one = try scene.fingerprints(1)[0]
        #expect(try await scene.statuses()[one] == .optedOut)
    }

    // MARK: - Installation IDs

    /// Joins installation IDs to `news` for the audience `all`.
    private func joinInstallations(_ count: Int) async throws {
        let members = try (0..<count).map { number in
            let registration = try #require(Registration("cSECRET-installation-\(number)"))
            return Member(
                fingerprint: scene.fingerprinter.fingerprint(of: registration),
                registration: registration
            )
        }
        let scope = try StoreFixtures.scope("all", "news")
        try await scene.store.beginJoin(members, in: scope)
        try await scene.store.finishJoin(StoreFixtures.results(members), in: scope)
    }

    @Test func `installation IDs of a removed audience leave one per request`() async throws {
        try await joinInstallations(2)
        let transport = ScriptedTransport()
        let plan = try await scene.plan(removals: [try scene.removal(.unsubscribe)])
        let report = await scene.apply(plan, to: transport)
        #expect(report.error == nil && report.memberships.left == 2)
        #expect(transport.seen.map(\.method) == [.delete, .delete])
        #expect(
            Set(transport.seen.compactMap(\.single))
                == ["SECRET-installation-0", "SECRET-installation-1"]
        )
        #expect(try await scene.store.membershipTransport() == nil)
    }

    @Test func `a refresh asks for the subscriptions of installation IDs`() async throws {
        try await joinInstallations(2)
        let transport = ScriptedTransport.telling(info: { ask in
            guard !ask.url.contains("/iid/") else { return .answer(400, ["error": "InvalidToken"]) }
            return .page(ask.token.hasSuffix("0") ? ["news"] : [])
        })
        let refresh = MembershipRefresh(
            store: scene.store,
            settings: RunSettings(
                transport: transport,
                endpoint: .unused(),
                clock: .fixed(PlanScene.now),
                stop: StopSignal()
            )
        )
        let seen = try await refresh.look()
        #expect(seen.dead == 0)
        #expect(seen.findings.all.map(\.found.count) == [1])
    }

    @Test(arguments: [1, 1_000, 1_001])
    func `both transports produce the same plan, report and state`(count: Int) async throws {
        var seen: [(Plan, MembershipTally, [Fingerprint: MembershipStatus], Plan)] = []
        for choice in [MembershipTransportChoice.batch, .perRegistration] {
            let scene = try PlanScene()
            let audience = try scene.audience(scene.file(0..<count), by: choice)
            let plan = try await scene.plan(audiences: [audience])
            let transport = ScriptedTransport { call in
                if let batch = call.batch {
                    return .verdicts(batch.map { $0.hasSuffix("7") ? "NOT_FOUND" : nil })
                }
                return call.single?.hasSuffix("7") == true
                    ? .refusal(404, "NOT_FOUND", "UNREGISTERED") : .accepted
            }
            let report = await scene.apply(plan, to: transport)
            #expect(report.error == nil)
            let after = try await scene.plan(audiences: [audience])
            seen.append((plan, report.memberships, try await scene.statuses(), after))
        }
        let refused = (0..<count).count { $0 % 10 == 7 }
        for (plan, tally, statuses, after) in seen {
            #expect(plan.memberships.map(\.joins.count) == [count])
            #expect(tally.joined == count - refused)
            #expect(tally.refused.map(\.reason) == Array(repeating: "NOT_FOUND", count: refused))
            #expect(statuses.values.count { $0 == .joined } == count - refused)
            #expect(after.memberships == [])
        }
        #expect(seen[0].0.notices == seen[1].0.notices)
        #expect(seen[0].3.notices == seen[1].3.notices)
    }
}
