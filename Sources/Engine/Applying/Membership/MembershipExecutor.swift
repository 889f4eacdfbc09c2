import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import Planning
import RateControl
import RegistrationLists
import State
import Time

/// Joins and leaves topics with either FCM API.
///
/// A change is idempotent, so unanswered requests are repeated.
struct MembershipExecutor: Sendable {
    let book: any MembershipBook
    let transport: any Transport
    let endpoint: FCMEndpoint
    let stop: StopSignal
    let drainLimit: Duration
    let backoff: Backoff
    let parallelism: Int
    let pace: MembershipPace
    let clock: WallClock
    let report: @Sendable (ApplyEvent) -> Void

    /// Number of concurrent single requests, as in Google's own libraries (firebase-admin-node
    /// #3211).
    private static let singleLanes = 100
    /// Number of concurrent batches.
    ///
    /// It is enough for the quota if an answer takes seconds, or half a second after FCM has
    /// refused and batches are small.
    private static let batchLanes = 10

    /// Returns the number of concurrent requests.
    func lanes(_ transport: MembershipTransport) -> Int {
        min(max(1, parallelism), transport == .batch ? Self.batchLanes : Self.singleLanes)
    }

    /// Removes members that need no request: another audience keeps them, they are external or
    /// opted out, or FCM refused them.
    func forget(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) async throws(ApplyError) {
        guard !fingerprints.isEmpty else { return }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await book.finishLeave(
                fingerprints.map { MembershipResult(fingerprint: $0, verdict: .done) },
                in: scope
            )
        }
    }

    /// Returns the transport that a change starts with.
    func route(_ change: MembershipChange) async throws(ApplyError) -> MembershipRoute {
        let remembered = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await book.membershipTransport()
        }
        return MembershipRoute(change.transport, remembered: remembered)
    }

    /// Performs a change for all members of a source; work before an error is counted.
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
            by: try await route(change)
        )
        let error = await stream.run()
        tally += stream.tally
        if let error { throw error }
    }
}

// MARK: - Recording

extension MembershipExecutor {
    /// Records members that need no request, and joining members before their request.
    func record(
        _ sorted: SortedMembers,
        in scope: MembershipScope
    ) async throws(ApplyError) {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await book.record(sorted.external, as: .external, in: scope)
            try await book.record(sorted.optedOut, as: .optedOut, in: scope)
            try await book.beginJoin(sorted.ours, in: scope)
        }
    }

    func finish(
        _ results: [MembershipResult],
        _ direction: InstanceIDBatch.Change,
        in scope: MembershipScope
    ) async throws(ApplyError) -> MembershipTally {
        guard !results.isEmpty else { return MembershipTally() }
        switch direction {
        case .add:
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await book.finishJoin(results, in: scope, at: clock.now())
            }
            return MembershipTally(joins: results)
        case .remove:
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await book.finishLeave(results.filter(\.hasLeft), in: scope)
            }
            return MembershipTally(leaves: results)
        }
    }
}

extension MembershipTally {
    /// Converts the results of leaves.
    ///
    /// A refused member stays recorded as leaving, and the next apply repeats the request. A dead
    /// registration is no longer in any topic.
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
