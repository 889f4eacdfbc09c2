import CampaignModel
import Memberships
import RunControl
import Sending

extension ApplyReport {
    /// What an apply without an error did not do, each with the next step, for the run's history;
    /// nil if nothing is missing.
    package var shortfall: String? {
        let parts: [(name: String, count: Int, step: String)] = [
            (
                "refused joins", memberships.hasFailedJoins ? memberships.refused.count : 0,
                "`herald registrations retry` tries them again"
            ),
            ("refused leaves", memberships.refusedLeaves.count, "the next apply tries them again"),
            ("expired sends", expired.count, "a later time or a higher `revision` sends one"),
            (
                "late sends skipped", skipped.count + missedSlots,
                "`late` in `schedule` decides about them"
            ),
            ("sends that wait for leaves", waiting.count, "the next apply tries again"),
            ("held sends", held.count, "`herald status` shows what to do"),
            ("paused sends", paused.count, "`herald resume` lifts the pause"),
            ("paused memberships", pausedMemberships.count, "`herald resume` lifts the pause"),
        ]
        let missing = parts.filter { $0.count > 0 }
            .map { "\($0.name): \($0.count) (\($0.step))" }
        return missing.isEmpty
            ? nil : "not everything was done; " + missing.joined(separator: "; ")
    }
}
