import CampaignModel
import CampaignPlanning
import CampaignState
import FCMWire
import HTTPTransport
import Registrations
import Scheduling

/// Joins and leaves topics in batches.
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
    let clock: WallClock
    let report: @Sendable (ApplyEvent) -> Void

    static let batchSize = InstanceIDBatch.maximumRegistrations

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

    func leave(
        _ change: MembershipChange,
        _ tally: inout MembershipTally
    ) async throws(ApplyError) {
        let batch = InstanceIDBatch(change: .remove, topic: change.scope.topic.name)
        for first in stride(from: 0, to: change.leaves.count, by: Self.batchSize) {
            try refuseWhenStopped()
            let leaves = Array(
                change.leaves[first..<min(first + Self.batchSize, change.leaves.count)]
            )
            let members = try recording { () throws(StateStoreError) in
                try store.beginLeave(leaves, in: change.scope)
                return try store.members(leaves, in: change.scope)
            }
            try await perform(batch, members) { results throws(ApplyError) in
                try finishLeave(results, change.scope, &tally)
            }
        }
    }

    /// Who was refused stays a member that is leaving, and is asked for again by the next apply;
    /// but a dead registration is in no topic any more.
    private func finishLeave(
        _ results: [MembershipResult],
        _ scope: MembershipScope,
        _ tally: inout MembershipTally
    ) throws(ApplyError) {
        let left = results.filter(\.hasLeft)
        try recording { () throws(StateStoreError) in try store.finishLeave(left, in: scope) }
        tally.left += left.count
        for result in results where !result.hasLeft {
            if case .refused(let word) = result.verdict {
                tally.refusedLeaves.append(
                    SendProblem(fingerprint: result.fingerprint, reason: word)
                )
            }
        }
    }

    /// `members`: in batches of at most `batchSize`.
    ///
    /// Whom the state does not know in the topic, FCM is asked about first: who is there already
    /// was not brought there by us.
    func join(
        _ members: [Member],
        _ change: MembershipChange,
        _ tally: inout MembershipTally
    ) async throws(ApplyError) {
        try refuseWhenStopped()
        let scope = change.scope
        let sorted = try await sort(members, change)
        try recording { () throws(StateStoreError) in
            try store.record(sorted.foreign, as: .foreign, in: scope)
            try store.record(sorted.optedOut, as: .optedOut, in: scope)
        }
        tally.foreign += sorted.foreign.count
        let settled = sorted.foreign.count + sorted.optedOut.count
        if settled > 0 { report(.progressed(by: settled)) }
        guard !sorted.ours.isEmpty else { return }
        let batch = InstanceIDBatch(change: .add, topic: scope.topic.name)
        try recording { () throws(StateStoreError) in try store.beginJoin(sorted.ours, in: scope) }
        try await perform(batch, sorted.ours) { results throws(ApplyError) in
            try recording { () throws(StateStoreError) in
                try store.finishJoin(results, in: scope, at: clock.now())
            }
            tally += MembershipTally(joins: results)
        }
    }

    private func refuseWhenStopped() throws(ApplyError) {
        if stop.isRaised { throw .interrupted }
    }
}

// MARK: - One batch

extension MembershipExecutor {
    /// Repeats the batch for whoever has no final verdict; `record` gets the verdicts of each try.
    private func perform(
        _ batch: InstanceIDBatch,
        _ members: [Member],
        record: ([MembershipResult]) throws(ApplyError) -> Void
    ) async throws(ApplyError) {
        var rest = members
        for attempt in 1...Backoff.maximumFailures {
            let last: String
            var delay = Duration.zero
            switch await answer(batch, rest) {
            case .verdicts(let verdicts):
                let judged = zip(rest, verdicts).map { ($0, MembershipVerdict($1)) }
                let results = judged.compactMap { $1.result(of: $0.fingerprint) }
                try record(results)
                ApplyEvent.progress(of: results).forEach(report)
                rest = judged.filter { $1.isPassing }.map(\.0)
                last = "FCM did not say yes or no to \(rest.count) of them"
            case .passing(let obstacle):
                last = obstacle.reason
                delay = obstacle.delay
            case .refusedUs(let reason): throw .refused(reason: reason)
            }
            if rest.isEmpty { return }
            try refuseWhenStopped()
            if attempt == Backoff.maximumFailures { throw .unanswered(reason: last) }
            try await stop.pause(for: max(backoff.pause(after: attempt), delay))
        }
    }

    private enum BatchAnswer {
        case verdicts([String?])
        case passing(MembershipReader.Obstacle)
        case refusedUs(reason: String)
    }

    private func answer(_ batch: InstanceIDBatch, _ members: [Member]) async -> BatchAnswer {
        let request = endpoint.change(batch, registrations: members.map(\.registration.token))
        do {
            let answer = try await send(request).get()
            switch InstanceIDAnswer(
                status: answer.status,
                body: answer.body,
                expected: members.count
            )
            {
            case .verdicts(let verdicts): return .verdicts(verdicts)
            case .refused(let status, let error)
            where MembershipReader.Obstacle.mayPass(status):
                return .passing(MembershipReader.Obstacle(answer, "\(status) \(error)"))
            case .refused(let status, let error): return .refusedUs(reason: "\(status) \(error)")
            }
        } catch {
            return .passing(MembershipReader.Obstacle(reason: error.detail, delay: .zero))
        }
    }
}

extension MembershipExecutor {
    /// Gives up `drainLimit` after a stop: the batch is idempotent and asked for again.
    private func send(_ request: HTTPRequest) async -> Result<HTTPAnswer, TransportError> {
        await withTaskGroup(of: Result<HTTPAnswer, TransportError>?.self) { group in
            group.addTask { await answered(request) }
            group.addTask {
                await stop.wait()
                if !Task.isCancelled { try? await Task.sleep(for: drainLimit) }
                return nil
            }
            var result: Result<HTTPAnswer, TransportError>?
            while result == nil, let landed = await group.next() {
                result = landed
                group.cancelAll()
            }
            return result
                ?? .failure(
                    TransportError(fate: .perhapsSent, reason: .cancelled, detail: "cut off")
                )
        }
    }

    private func answered(_ request: HTTPRequest) async -> Result<HTTPAnswer, TransportError> {
        do {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }
}

/// What the Instance ID API says of one registration (Google documentation, Instance ID server
/// reference).
private enum MembershipVerdict {
    case done
    case refused(String)
    case passing

    init(_ error: String?) {
        switch error {
        case nil: self = .done
        case "INTERNAL", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "UNKNOWN", "UNAVAILABLE":
            self = .passing
        case let word?: self = .refused(word)
        }
    }

    var isPassing: Bool {
        if case .passing = self { true } else { false }
    }

    func result(of fingerprint: Fingerprint) -> MembershipResult? {
        switch self {
        case .done: MembershipResult(fingerprint: fingerprint, verdict: .done)
        case .refused(let word): MembershipResult(fingerprint: fingerprint, verdict: .refused(word))
        case .passing: nil
        }
    }
}

extension MembershipResult {
    fileprivate var hasLeft: Bool {
        switch verdict {
        case .done, .refused("NOT_FOUND"), .refused("INVALID_ARGUMENT"): true
        case .refused: false
        }
    }
}
