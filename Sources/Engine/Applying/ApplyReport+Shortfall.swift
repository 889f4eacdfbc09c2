import CampaignModel
import Memberships
import RunControl
import Sending
import State
import Time

extension ApplyReport {
    /// What a run without an error did not do and what it deferred, for its history; nil if neither
    /// is the case.
    var remark: String? {
        let parts = [shortfall, deferral].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// What quiet hours defer; nil if there is nothing.
    private var deferral: String? {
        guard !deferred.isEmpty else { return nil }
        let more = deferred.count - Self.namedDeferrals
        let names = deferred.prefix(Self.namedDeferrals).map {
            "\($0.occurrence) until \($0.until.utcText)"
        }
        return "deferred by quiet hours: "
            + (names + (more > 0 ? ["\(more) more"] : [])).joined(separator: ", ")
    }

    private static let namedDeferrals = 3

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
            (
                "sends whose list was refused", refusedSends.count,
                "correct the list; the next apply reads it again"
            ),
            (
                "sends that another command removed", cancelled.count,
                "`herald history` shows the run"
            ),
            ("recalled sends", takenBack.count, "`herald status` names the user"),
            ("held sends", held.count + heldByService.count, "`herald status` shows what to do"),
            (
                "stopped rollouts", stoppedRollouts.count,
                "`herald rollout status` shows why, and `herald rollout continue` sends the rest"
            ),
            ("paused sends", paused.count, paused.step),
            ("paused memberships", pausedMemberships.count, "`herald resume` lifts the pause"),
        ]
        let missing = parts.filter { $0.count > 0 }
            .map { "\($0.name): \($0.count) (\($0.step))" }
        return missing.isEmpty
            ? nil : "not everything was done; " + missing.joined(separator: "; ")
    }
}

extension [PausedSend] {
    private static let named = 3

    /// For example, `` `herald resume sale` lifts the pause``.
    fileprivate var step: String {
        let commands = Set(compactMap(\.scope).map(\.resuming)).sorted()
        guard let first = commands.first else { return "the next apply sends them" }
        guard commands.count > 1 else { return "\(first) lifts the pause" }
        let more = commands.count - Self.named
        let names = commands.prefix(Self.named) + (more > 0 ? ["\(more) more"] : [])
        return names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1]) lift the "
            + "pauses"
    }
}

extension PauseScope {
    fileprivate var resuming: String {
        switch self {
        case .everything: "`herald resume`"
        case .campaign(let campaign): "`herald resume \(campaign)`"
        }
    }
}
