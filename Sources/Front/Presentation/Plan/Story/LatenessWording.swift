import CampaignMessages
import CampaignModel
import Planning
import Time

/// Says how late a scheduled send may be.
struct LatenessWording {
    private let policy: LatePolicy
    private let late: LatePolicy.Late
    /// Seconds from the due time until the message expires; nil if unknown.
    private let lifetime: Int64?

    /// Nil if the action schedules nothing, or if the send has no due time in the files.
    init?(_ action: CampaignAction) {
        guard action.step.isScheduling, let source = action.source, let due = action.step.due else {
            return nil
        }
        policy = source.timeliness
        switch source.schedule {
        case .immediate: return nil
        case .at: late = policy.late ?? .fail
        case .repeating: late = policy.late ?? .skip
        }
        lifetime = action.template.map { template in
            template.expiry.map { $0.end.seconds(since: due) } ?? template.life
        }
    }

    /// For example, ``sent up to 10 min late, then skipped (`late_after: 10m`, `late: skip`)``.
    var text: String {
        if late == .send { return "sent even if late, until its message expires (`late: send`)" }
        if let lifetime, lifetime > 0, lifetime < policy.lateAfter {
            let length = MomentWording.length(lifetime)
            return "sent up to \(length) late, then not at all (its message expires)"
        }
        let key = "`late_after: \(DurationText.text(seconds: policy.lateAfter))`"
        let length = MomentWording.length(policy.lateAfter)
        let after =
            late == .skip ? "then skipped" : "then not at all, which is reported as a failure"
        return "sent up to \(length) late, \(after) (\(key), `late: \(late.rawValue)`)"
    }
}
