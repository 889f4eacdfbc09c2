import Applying
import ArgumentParser
import CampaignModel
import Planning
import Presentation
import RunControl
import State

/// Implements `--wait`: follows the sends that a service makes, after an apply has handed them over.
///
/// It reads the state without the lock.
struct ApplyFollowing {
    private let request: ApplyRequest

    init(_ request: ApplyRequest) {
        self.request = request
    }

    /// Returns the result with what the service did.
    ///
    /// If the command is asked to stop, the result names the remaining sends as handed over.
    func follow(_ result: ApplyResult) async throws(CommandFailure) -> ApplyResult {
        guard result.plan.handsOver, result.report?.error == nil else { return result }
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .following)
        defer { signals.cancel() }
        let progress = ProgressReporter(
            options: request.session.options,
            context: request.session.context,
            isQuiet: request.arguments.quiet,
            isVerbose: false,
            events: request.journal?.events
        )
        let follower = SendFollower(
            store: request.target.store,
            fingerprinter: request.target.checked.fingerprinter,
            clock: request.session.clock,
            stop: stop,
            report: progress.show
        )
        let followed = try await mapStateErrors { () async throws(StateStoreError) in
            let campaigns = Set(result.plan.campaigns.map(\.campaign))
            let sends = try await follower.openSends(of: campaigns, in: result.report)
            guard !sends.isEmpty else { return ApplyReport?.none }
            if !request.arguments.quiet {
                request.session.options.tell(ApplyNoticeWording.following(sends.count))
            }
            let report = await progress.accompany { await follower.result(of: sends) }
            return try report.get()
        }
        guard let followed else { return result }
        let added = result.adding(followed, isInterrupted: stop.isRaised)
        request.journal?.keep(added.report)
        return added
    }
}
