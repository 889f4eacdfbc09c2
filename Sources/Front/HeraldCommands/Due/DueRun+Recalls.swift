import Applying
import CampaignModel
import Planning
import Presentation
import RunControl
import Sending
import State

/// Recalls without anything that is due.
extension DueRun {
    /// Performs the requested recalls under the lock, which this process has, and releases the lock.
    func performRecalls() async throws(CommandFailure) -> ApplyReport {
        try await unlocking(target.store) { () async throws(CommandFailure) in
            let cutOff = try await mapStateErrors { () async throws(StateStoreError) in
                try await target.recorder.settleAfterCrash(by: worker)
            }
            say(view.renderCutOff(cutOff))
            try await absorbUpstream()
            let pace = target.environment.pace
            return try await sending(at: pace, isNeeded: true) { applier in
                await applier.performRecalls(by: worker.noting(session.trust))
            }
        }
    }

    /// Whether a recall, or replies to messages of devices, can begin or resume.
    func hasOpenRequests() async throws(CommandFailure) -> Bool {
        try await mapStateErrors { () async throws(StateStoreError) in
            if try await !target.store.startableRecalls().isEmpty { return true }
            return try await !target.store.startableReplies().isEmpty
        }
    }
}
