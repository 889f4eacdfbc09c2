import CampaignModel
import Planning
import State
import FCMWire
import HTTPTransport
import RegistrationLists
import Time

/// Joins and leaves topics, by either of FCM's APIs.
///
/// A change is idempotent: what has no answer is repeated.
struct MembershipExecutor: Sendable {
    let store: any StateStore
    let transport: any Transport
    let endpoint: FCMEndpoint
    let stop: StopSignal
    let drainLimit: Duration
    let backoff: Backoff
    let parallelism: Int
    let pace: MembershipPace
    let clock: WallClock
    let report: @Sendable (ApplyEvent) -> Void

    /// So many requests for one registration each are in flight at once, as Google's own libraries
    /// have it (firebase-admin-node #3211).
    private static let singleLanes = 100
    /// So many batches: enough for the quota where an answer takes seconds, or, once FCM has
    /// refused and batches are small, half a second.
    private static let batchLanes = 10

    /// Requests in flight at once.
    func lanes(_ transport: MembershipTransport) -> Int {
        min(max(1, parallelism), transport == .batch ? Self.batchLanes : Self.singleLanes)
    }

    /// Members that nobody has to ask FCM about: another audience keeps them, they are none of
    /// ours, or it refused them.
    func forget(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(ApplyError) {
        guard !fingerprints.isEmpty else { return }
        try recording { () throws(StateStoreError) in
            try store.finishLeave(
                fingerprints.map { MembershipResult(fingerprint: $0, verdict: .done) },
                in: scope
            )
        }
    }

    /// The transport that a change begins with.
    func route(_ change: MembershipChange) throws(ApplyError) -> MembershipRoute {
        let remembered = try recording { () throws(StateStoreError) in
            try store.membershipTransport()
        }
        return MembershipRoute(change.transport, remembered: remembered)
    }

    /// Performs a change for all members of a source; what was done before an error is counted.
    func perform(
        _ direction: InstanceIDBatch.Change,
        _ change: MembershipChange,
        of source: MemberSource,
        _ tally: inout MembershipTally
    ) async throws(ApplyError) {
        var stream = MembershipStream(
            self,
            change,
            direction,
            from: source,
            by: try route(change)
        )
        let error = await stream.run()
        tally += stream.tally
        if let error { throw error }
    }
}

// MARK: - What is recorded

extension MembershipExecutor {
    /// Whom nobody has to ask for, and who is to join, before the request that does it.
    func record(_ sorted: SortedMembers, in scope: MembershipScope) throws(ApplyError) {
        try recording { () throws(StateStoreError) in
            try store.record(sorted.foreign, as: .foreign, in: scope)
            try store.record(sorted.optedOut, as: .optedOut, in: scope)
            try store.beginJoin(sorted.ours, in: scope)
        }
    }

    func finish(
        _ results: [MembershipResult],
        _ direction: InstanceIDBatch.Change,
        in scope: MembershipScope
    ) throws(ApplyError) -> MembershipTally {
        guard !results.isEmpty else { return MembershipTally() }
        switch direction {
        case .add:
            try recording { () throws(StateStoreError) in
                try store.finishJoin(results, in: scope, at: clock.now())
            }
            return MembershipTally(joins: results)
        case .remove:
            try recording { () throws(StateStoreError) in
                try store.finishLeave(results.filter(\.hasLeft), in: scope)
            }
            return MembershipTally(leaves: results)
        }
    }
}

extension MembershipTally {
    /// Who was refused stays a member that is leaving, and is asked for again by the next apply;
    /// but a dead registration is in no topic any more.
    fileprivate init(leaves results: [MembershipResult]) {
        self.init()
        for result in results {
            if case .refused(let word) = result.verdict, !result.hasLeft {
                refusedLeaves.append(SendProblem(fingerprint: result.fingerprint, reason: word))
            } else {
                left += 1
            }
        }
    }
}

// MARK: - Requests

extension MembershipExecutor {
    func reader(_ route: MembershipRoute) -> MembershipReader {
        MembershipReader(
            transport: transport,
            endpoint: endpoint,
            stop: stop,
            parallelism: parallelism,
            backoff: backoff,
            route: route
        )
    }

    func reply(
        to work: MembershipWork,
        _ direction: InstanceIDBatch.Change,
        _ topic: Topic,
        by route: MembershipRoute
    ) async -> MembershipReply {
        do throws(TransportError) {
            let answer = try await transport.send(request(work, direction, topic, by: route))
            return MembershipReply(answer, by: route, for: work.members.count)
        } catch {
            return .passing(error.detail, retryAfter: nil, isAnswered: false)
        }
    }

    private func request(
        _ work: MembershipWork,
        _ direction: InstanceIDBatch.Change,
        _ topic: Topic,
        by route: MembershipRoute
    ) -> HTTPRequest {
        let registrations = work.members.map(\.registration.token)
        switch route.transport {
        case .batch:
            let batch = InstanceIDBatch(change: direction, topic: topic.name)
            return endpoint.change(batch, registrations: registrations)
        case .perRegistration:
            return endpoint.change(
                TopicSubscriptionChange(
                    direction,
                    project: endpoint.project,
                    registration: registrations[0],
                    topic: topic.name
                )
            )
        }
    }
}
