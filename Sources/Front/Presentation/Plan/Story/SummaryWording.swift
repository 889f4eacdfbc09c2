import Planning

/// Summarises the plan in one sentence.
struct SummaryWording {
    private let plan: Plan
    private let seconds: Int64

    /// `seconds`: the estimated duration of an apply.
    init(_ plan: Plan, seconds: Int64) {
        self.plan = plan
        self.seconds = seconds
    }

    var text: String { whole + elsewhere }

    /// The number of campaigns that do not belong to the environment.
    private var elsewhere: String {
        guard !plan.elsewhere.isEmpty else { return "" }
        let campaigns = plan.elsewhere.count.counting(
            "campaign does",
            plural: "campaigns do"
        )
        return " \(campaigns) not belong to \(plan.environment)."
    }

    private var whole: String {
        let unchanged = plan.campaigns.count { $0.step == .unchanged }
        let summary = PlanSummary(plan)
        guard plan.hasChanges || summary.stopped + summary.paused > 0 else {
            return
                "No changes. \(unchanged.counting("campaign is", plural: "campaigns are")) up to date."
        }
        let requests = summary.requests.counting("request")
        let time = summary.requests > 0 ? " in about \(EffortWording.wording(seconds))" : ""
        let rest = unchanged > 0 ? " \(unchanged.counting("campaign")) unchanged." : ""
        return "Plan: \(parts(summary).joined(separator: ", ")). \(requests)\(time).\(rest)"
    }

    /// Cancelled occurrences of campaigns that are still in the files.
    private var cancelled: Int {
        plan.campaigns.count { if case .unschedule = $0.step { true } else { false } }
    }

    /// Campaigns removed from the files, regardless of their number of cancelled occurrences.
    private var removed: Int {
        Set(
            plan.campaigns.lazy.filter {
                switch $0.step {
                case .cancel, .retire: true
                case .send, .resume, .lapse, .paused, .held, .rename, .schedule, .reschedule,
                    .expire, .skip, .miss, .unschedule, .outlive, .redefine, .alreadySent,
                    .lowered, .ended, .stopped, .unchanged:
                    false
                }
            }.map(\.campaign)
        ).count
    }

    private func parts(_ summary: PlanSummary) -> [String] {
        let parts = [
            (summary.leaves, "leave", "leaves"), (summary.joins, "join", "joins"),
            (summary.forgotten, "membership no longer managed", "memberships no longer managed"),
            (summary.noted, "membership recorded", "memberships recorded"),
            (summary.sends, "send", "sends"), (summary.scheduled, "scheduled", "scheduled"),
            (summary.changed, "changed", "changed"), (cancelled, "cancelled", "cancelled"),
            (removed, "removed", "removed"),
            (summary.expired, "too late", "too late"), (summary.stopped, "stopped", "stopped"),
            (summary.paused, "paused", "paused"),
        ]
        return parts.filter { $0.0 > 0 }.map { $0.0.counting($0.1, plural: $0.2) }
    }
}
