import Applying
import CampaignModel
import Planning
import Presentation
import State
import Time

/// Warns if nothing seems to send what an apply leaves in the state.
struct RunnerCheck {
    private let request: ApplyRequest

    init(_ request: ApplyRequest) {
        self.request = request
    }

    /// A runner counts as running for this long: even a cron job once a day is seen again.
    private static let patience: Int64 = 26 * 3_600

    func warn(after result: ApplyResult) async throws(CommandFailure) {
        guard result.report?.error == nil else { return }
        let store = request.target.store
        let (left, runners) = try await mapStateErrors { () async throws(StateStoreError) in
            let open = try await store.occurrences(.unsettled)
                .filter { $0.isLeft(toService: result.plan.handsOver) }
            return (open, try await store.runners().filter { !$0.isStandby })
        }
        guard !left.isEmpty else { return }
        let now = request.session.clock.now()
        let wording = RunnerWording(hint: request.target.hint, now: now)
        let running = runners.filter { now.seconds(since: $0.lastSeen) <= Self.patience }
        if running.isEmpty {
            return request.warn(wording.noRunner(for: left.count, last: runners.first))
        }
        let readAtSend = try await campaignsReadAtSend(among: left)
        guard result.plan.handsOver, let first = readAtSend.first,
            !running.contains(where: \.readsLists)
        else { return }
        request.warn(wording.noLists(for: first, and: readAtSend.count - 1))
    }

    /// The campaigns whose lists are read when their sends begin, by name.
    private func campaignsReadAtSend(
        among records: [OccurrenceRecord]
    ) async throws(CommandFailure) -> [CampaignID] {
        let names = Set(records.map(\.id.campaign))
        return request.target.project.campaigns
            .filter { names.contains($0.id) && $0.target.isReadAtSend }.map(\.id).sorted()
    }
}

extension OccurrenceRecord {
    /// Whether a later process sends it.
    fileprivate func isLeft(toService handsOver: Bool) -> Bool {
        switch status {
        case .scheduled: true
        case .dispatching: handsOver && hold == nil
        case .finished, .cancelled, .expired: false
        }
    }
}
