import CampaignModel
package import Planning
package import RunControl
package import State
import Time

/// Compares the recorded members with FCM.
///
/// Members are streamed, and only the differences are kept in memory.
package struct MembershipRefresh: Sendable {
    private let store: any MembershipBook & HistoryStore
    private let settings: RunSettings
    private let settle: Int64
    private static let stride = 1_000

    /// `settle`: seconds after a join in which a missing member does not count as gone; FCM
    /// documents no bound for the time until a join takes effect.
    package init(
        store: any MembershipBook & HistoryStore,
        settings: RunSettings,
        settle: Int64 = 0
    ) {
        self.store = store
        self.settings = settings.renewing
        self.settle = settle
    }

    /// Returns the differences without recording them.
    package func look() async throws(ApplyError) -> RefreshReport {
        try await refresh(isRecorded: false) { _, _ in }
    }

    /// Like `look()`, but records the differences as part of a run; the caller holds the write
    /// lock.
    package func record(by worker: Worker) async throws(ApplyError) -> RefreshReport {
        let run = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.beginRun(worker)
        }
        var status = RunStatus.complete
        var failure: ApplyError?
        var result = RefreshReport()
        do throws(ApplyError) {
            result = try await refresh(isRecorded: true) { found, scope async throws(ApplyError) in
                try await record(found, in: scope)
            }
        } catch {
            failure = error
            status = error == .interrupted ? .interrupted : .stopped
        }
        let end = RunEnd(status: status, tally: OutcomeTally(), at: settings.clock.now())
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.finishRun(run, as: end)
        }
        if let failure { throw failure }
        return result
    }

    private typealias Found = [(member: Member, finding: MembershipFindings.Finding)]

    private func refresh(
        isRecorded: Bool,
        record: (Found, MembershipScope) async throws(ApplyError) -> Void
    ) async throws(ApplyError) -> RefreshReport {
        let recorded = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.membershipOverview()
        }
        let summaries = recorded.summaries
        let settling = SettleDelay(length: settle, lastJoins: recorded.lastJoins)
        let now = settings.clock.now()
        var result = RefreshReport()
        settings.report(.began(.reading, total: summaries.reduce(0) { $0 + $1.comparable }))
        var route = MembershipRoute(
            .auto,
            remembered: try await mapLedgerErrors { () async throws(StateStoreError) in
                try await store.membershipTransport()
            }
        )
        var members = RecordedMembers(of: summaries.map(\.scope), in: store)
        while true {
            let page = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await members.next(Self.stride)
            }
            guard !page.isEmpty else { break }
            let entries = page.filter { $0.statuses.contains { $0.status.isComparable } }
            let answers = try await read(entries.map(\.member), by: &route)
            if route.works(), isRecorded {
                try await mapLedgerErrors { [route] () async throws(StateStoreError) in
                    try await store.remember(route.transport)
                }
            }
            var found: [MembershipScope: Found] = [:]
            for (entry, answer) in zip(entries, answers) {
                result.read += 1
                if case .unknown = answer { result.dead += 1 }
                for (scope, finding) in entry.findings(answer) {
                    let isUnsettled = settling.wait(for: [scope.topic], at: now) > 0
                    if finding == .leftByHimself, isUnsettled { continue }
                    result.findings.add(finding, of: entry.member.fingerprint, in: scope)
                    found[scope, default: []].append((entry.member, finding))
                }
            }
            for (scope, found) in found { try await record(found, scope) }
            settings.report(.progressed(by: entries.reduce(0) { $0 + $1.comparable }))
        }
        settings.report(.ended(.reading))
        return result
    }

    private func read(
        _ members: [Member],
        by route: inout MembershipRoute
    ) async throws(ApplyError) -> [MembershipReader.Answer] {
        switch try await MembershipReader(settings: settings, route: route).read(members) {
        case .answers(let answers): return answers
        case .notServed(let reason):
            if route.leave(because: reason) {
                settings.report(.transportChosen(route.transport, because: reason))
            }
            return try await read(members, by: &route)
        }
    }

    private func record(_ found: Found, in scope: MembershipScope) async throws(ApplyError) {
        func members(_ finding: MembershipFindings.Finding) -> [Member] {
            found.filter { $0.finding == finding }.map(\.member)
        }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.record(members(.leftByHimself), as: .optedOut, in: scope)
            try await store.record(members(.isBack), as: .external, in: scope)
            try await store.finishLeave(
                members(.externalLeft).map {
                    MembershipResult(fingerprint: $0.fingerprint, verdict: .done)
                },
                in: scope
            )
        }
    }
}

/// The result of a membership refresh.
package struct RefreshReport: Sendable {
    package var findings = MembershipFindings()
    /// Number of registrations that were queried.
    package var read = 0
    /// Number of dead registrations among them; they stay recorded until a join or leave finds them
    /// dead.
    package var dead = 0

    package init() {}
}

extension MembershipStatus {
    /// Whether FCM's answer can differ.
    ///
    /// Members that are joining or leaving are requested again anyway, and refused members are in
    /// no topic.
    fileprivate var isComparable: Bool {
        switch self {
        case .joined, .external, .optedOut: true
        case .joining, .leaving, .refused: false
        }
    }
}

extension MembershipSummary {
    fileprivate var comparable: Int {
        MembershipStatus.allCases.filter(\.isComparable).reduce(0) { $0 + self[$1] }
    }
}

extension RecordedMembers.Entry {
    fileprivate var comparable: Int { statuses.count { $0.status.isComparable } }

    fileprivate func findings(
        _ answer: MembershipReader.Answer
    ) -> [(MembershipScope, MembershipFindings.Finding)] {
        guard case .topics(let topics) = answer else { return [] }
        return statuses.compactMap { scope, status in
            let isThere = topics.contains(scope.topic.name)
            return switch status {
            case .joined where !isThere: (scope, .leftByHimself)
            case .optedOut where isThere: (scope, .isBack)
            case .external where !isThere: (scope, .externalLeft)
            case .joined, .optedOut, .external, .joining, .leaving, .refused: nil
            }
        }
    }
}
