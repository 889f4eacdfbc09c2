import CampaignModel
import CampaignPlanning
import CampaignState
import Registrations

extension Applier {
    /// All leaves before the first join, so that nobody who is to leave is sent to by mistake.
    func changeMemberships(
        _ changes: [MembershipChange],
        in run: RunID,
        _ result: inout ApplyReport
    ) async throws(ApplyError) {
        let executor = MembershipExecutor(
            store: store,
            transport: transport,
            endpoint: endpoint,
            stop: stop,
            drainLimit: drainLimit,
            backoff: backoff,
            report: report
        )
        for change in changes { try executor.forget(change) }
        for change in changes where !change.leaves.isEmpty {
            report(.began(.leaving(change.scope), total: change.leaves.count))
            try await noting(change.scope, in: run, &result) { result throws(ApplyError) in
                try await executor.leave(change, &result.memberships)
            }
            report(.ended(.leaving(change.scope)))
        }
        for change in changes where !change.joins.isEmpty {
            report(.began(.joining(change.scope), total: change.joins.count))
            try await noting(change.scope, in: run, &result) { result throws(ApplyError) in
                try await join(change, executor, &result)
            }
            report(.ended(.joining(change.scope)))
        }
    }

    /// The list is streamed once more, because a plan holds fingerprints only.
    private func join(
        _ change: MembershipChange,
        _ executor: MembershipExecutor,
        _ result: inout ApplyReport
    ) async throws(ApplyError) {
        var missing = Set(change.joins)
        var batch: [Member] = []
        var reader = try listing { () throws(RegistrationListError) in
            try RegistrationReader(change.list, directory: projectDirectory)
        }
        while let entry = try listing({ () throws(RegistrationListError) in try reader.next() }) {
            guard case .registration(let registration) = entry else { continue }
            let fingerprint = fingerprinter.fingerprint(of: registration)
            guard missing.remove(fingerprint) != nil else { continue }
            batch.append(Member(fingerprint: fingerprint, registration: registration))
            if batch.count == MembershipExecutor.batchSize {
                try await executor.join(batch, change.scope, &result.memberships)
                batch = []
            }
        }
        if !batch.isEmpty {
            try await executor.join(batch, change.scope, &result.memberships)
        }
        guard missing.isEmpty else { throw .list(.changed(path: change.list.path)) }
    }
}
