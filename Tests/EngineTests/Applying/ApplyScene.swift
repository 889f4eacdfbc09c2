import Applying
import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import Planning
import RateControl
import RunControl
import State
import StoreConformance
import Testing
import Time

extension FCMEndpoint {
    /// An endpoint for a scripted transport, which opens no connection.
    static func unused(bearer: Bearer = Bearer(fixed: "owner")) -> FCMEndpoint {
        FCMEndpoint(server: "http://127.0.0.1:1", project: "shop-1", bearer: bearer)
    }
}

/// Applies the plans of a scene, with short pauses.
extension PlanScene {
    func apply(
        _ plan: Plan,
        to transport: any Transport,
        mapLedgerErrors ledger: (any Ledger)? = nil,
        stop: StopSignal = StopSignal(),
        drainLimit: Duration = .seconds(20),
        bearer: Bearer = Bearer(fixed: "owner"),
        lists: (any ListAtSendReader)? = nil,
        parallelism: Int = 64,
        clock: WallClock = .fixed(Self.now),
        report: @escaping @Sendable (ApplyEvent) -> Void = { _ in }
    ) async -> ApplyReport {
        let settings = RunSettings(
            transport: transport,
            endpoint: .unused(bearer: bearer),
            clock: clock,
            stop: stop,
            drainLimit: drainLimit,
            backoff: Backoff(shortest: .microseconds(100), shortestRepeat: .milliseconds(1)),
            open: OpenLimit(fixed: parallelism),
            report: report
        )
        let project = AppliedProject(
            directory: folder.path,
            listsAtSend: lists ?? FolderListReader(self),
            fingerprinter: fingerprinter,
            zones: .system(environment: [:]),
            // Use a higher pace than any test needs, unless the plan sets one, to send requests
            // immediately.
            pace: plan.pace == .standard
                ? Pace(sendsPerMinute: 100_000_000, subscriptionsPerSecond: 1_000_000, fanOuts: 1)
                : plan.pace
        )
        let applier = Applier(of: project, store: store, ledger: ledger, settings: settings)
        return await applier.apply(plan, by: StoreFixtures.worker)
    }

    func record(of name: String = "sale") async throws -> OccurrenceRecord {
        try #require(try await store.appliedState().occurrences[id(name)])
    }

    func statuses(
        _ audience: String = "all",
        _ topic: String = "news"
    ) async throws -> [Fingerprint: MembershipStatus] {
        let members = try await store.memberships(in: StoreFixtures.scope(audience, topic))
        return Dictionary(uniqueKeysWithValues: members.map { ($0.fingerprint, $0.status) })
    }

    func tokens(_ numbers: some Sequence<Int>) -> [String] {
        numbers.map { "SECRET:device-\($0)" }
    }
}
