import CampaignModel
import CampaignPlanning
import CampaignState
import FCMWire
import HTTPTransport
import Registrations

/// Joins and leaves topics in batches.
///
/// A change is idempotent: what has no answer is repeated.
struct MembershipExecutor: Sendable {
    let store: any StateStore
    let transport: any Transport
    let endpoint: FCMEndpoint
    let stop: StopSignal
    let backoff: Backoff
    let report: @Sendable (ApplyEvent) -> Void

    static let batchSize = InstanceIDBatch.maximumRegistrations

    func leave(_ change: MembershipChange) async throws(ApplyError) -> MembershipTally {
        var tally = MembershipTally()
        try recording { () throws(StateStoreError) in
            try store.finishLeave(
                change.forgotten.map { MembershipResult(fingerprint: $0, verdict: .done) },
                in: change.scope
            )
        }
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
            let results = try await perform(batch, members).map { $0.afterLeaving }
            try recording { () throws(StateStoreError) in
                try store.finishLeave(results, in: change.scope)
            }
            tally.left += results.count
            report(.progressed(by: results.count))
        }
        return tally
    }

    /// `members`: in batches of at most `batchSize`.
    func join(
        _ members: [Member],
        _ scope: MembershipScope
    ) async throws(ApplyError) -> MembershipTally {
        try refuseWhenStopped()
        let batch = InstanceIDBatch(change: .add, topic: scope.topic.name)
        try recording { () throws(StateStoreError) in try store.beginJoin(members, in: scope) }
        let results = try await perform(batch, members)
        try recording { () throws(StateStoreError) in try store.finishJoin(results, in: scope) }
        report(.progressed(by: results.count))
        return MembershipTally(joins: results)
    }

    private func refuseWhenStopped() throws(ApplyError) {
        if stop.isRaised { throw .interrupted }
    }
}

// MARK: - One batch

extension MembershipExecutor {
    /// Repeats the batch for whoever has no final verdict.
    private func perform(
        _ batch: InstanceIDBatch,
        _ members: [Member]
    ) async throws(ApplyError) -> [MembershipResult] {
        var results: [MembershipResult] = []
        var rest = members
        for attempt in 1...Backoff.maximumFailures {
            let last: String
            switch await answer(batch, rest) {
            case .verdicts(let verdicts):
                let judged = zip(rest, verdicts).map { ($0, MembershipVerdict($1)) }
                results += judged.compactMap { $1.result(of: $0.fingerprint) }
                rest = judged.filter { $1.isPassing }.map(\.0)
                last = "FCM did not say yes or no to \(rest.count) of them"
            case .passing(let reason): last = reason
            case .refusedUs(let reason): throw .refused(reason: reason)
            }
            if rest.isEmpty { return results }
            if attempt == Backoff.maximumFailures { throw .unanswered(reason: last) }
            try await pause(for: backoff.pause(after: attempt))
        }
        return results
    }

    /// A stop ends the pause.
    private func pause(for length: Duration) async throws(ApplyError) {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await stop.wait() }
            group.addTask { try? await Task.sleep(for: length) }
            await group.next()
            group.cancelAll()
        }
        try refuseWhenStopped()
    }

    private enum BatchAnswer {
        case verdicts([String?])
        case passing(reason: String)
        case refusedUs(reason: String)
    }

    private func answer(_ batch: InstanceIDBatch, _ members: [Member]) async -> BatchAnswer {
        let request = endpoint.change(batch, registrations: members.map(\.registration.token))
        do {
            let answer = try await transport.send(request)
            switch InstanceIDAnswer(
                status: answer.status,
                body: answer.body,
                expected: members.count
            )
            {
            case .verdicts(let verdicts): return .verdicts(verdicts)
            case .refused(let status, let error)
            where status == 429 || status >= 500 || (200...299).contains(status):
                return .passing(reason: "\(status) \(error)")
            case .refused(let status, let error): return .refusedUs(reason: "\(status) \(error)")
            }
        } catch {
            return .passing(reason: error.detail)
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
    /// Who is refused a leave is not in the topic either: a dead registration is in none.
    fileprivate var afterLeaving: MembershipResult {
        MembershipResult(fingerprint: fingerprint, verdict: .done)
    }
}
