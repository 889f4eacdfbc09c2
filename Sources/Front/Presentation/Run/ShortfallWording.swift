package import Applying
import CampaignModel
import Memberships
package import Planning
package import RunControl
import State

/// Says in one line what an apply without an error did not do.
package struct ShortfallWording: Sendable {
    /// The maximum number of commands to suggest.
    private static let maximumCommands = 3

    private let hint: CommandHint

    package init(hint: CommandHint) {
        self.hint = hint
    }

    /// Returns the line for standard error.
    ///
    /// `report`: nil if the plan had nothing to do. `cutOff`: the interrupted sends that were
    /// settled before the plan was made.
    package func line(
        _ report: ApplyReport?,
        of plan: Plan,
        after cutOff: [SendReport]
    ) -> String {
        let report = report ?? ApplyReport()
        let parts = waiting(report, plan: plan, cutOff: cutOff)
        let causes = parts.isEmpty ? rejections(report.sends) : parts
        return "Not everything was done: \(causes.joined(separator: ", ")). "
            + "Details: `\(hint("status"))`.\n"
    }

    private func waiting(_ report: ApplyReport, plan: Plan, cutOff: [SendReport]) -> [String] {
        let steps = plan.campaigns.map(\.step)
        let memberships = report.memberships
        let parts = [
            part(
                unknown(report, plan: plan, cutOff: cutOff),
                "request with an unknown outcome",
                plural: "requests with an unknown outcome"
            ), part(steps.count(where: \.isStopped), "stopped send"),
            pausedSends(report, steps: steps),
            part(
                report.pausedMemberships.count,
                "paused membership",
                advice: resuming([.everything])
            ),
            part(
                report.held.count + report.heldByService.count + steps.count(where: \.isHeld),
                "held send"
            ), part(report.stoppedRollouts.count, "stopped rollout"),
            part(report.cancelled.count, "removed send"),
            part(report.takenBack.count, "recalled send"),
            part(report.tooLate, "late send"),
            part(
                report.waiting.count,
                "send that waits for leaves",
                plural: "sends that wait for leaves"
            ),
            part(memberships.hasFailedJoins ? memberships.refused.count : 0, "refused join"),
            part(memberships.refusedLeaves.count, "refused leave"),
        ]
        return parts.compactMap(\.self)
    }

    /// Nil if the count is 0.
    private func part(
        _ count: Int,
        _ singular: String,
        plural: String? = nil,
        advice: String = ""
    ) -> String? {
        count > 0 ? count.counting(singular, plural: plural) + advice : nil
    }

    /// A plan whose sends are all paused is not applied, so it has no report.
    private func pausedSends(_ report: ApplyReport, steps: [CampaignStep]) -> String? {
        let planned = steps.compactMap { step -> PauseScope? in
            if case .paused(_, let pause) = step { pause.scope } else { nil }
        }
        let scopes = report.paused.isEmpty ? planned : report.paused.compactMap(\.scope)
        return part(
            max(report.paused.count, planned.count),
            "paused send",
            advice: resuming(scopes)
        )
    }

    /// For example, `` (lift the pause with `herald resume sale`)``.
    private func resuming(_ scopes: [PauseScope]) -> String {
        let commands = Set(scopes.map { "`\(hint.resuming($0))`" }).sorted()
        guard !commands.isEmpty else { return "" }
        let pauses = commands.count == 1 ? "the pause" : "the pauses"
        return " (lift \(pauses) with \(commands.named(upTo: Self.maximumCommands)))"
    }

    /// Counts the unknown requests of each send once: those of this apply and of earlier ones.
    private func unknown(_ report: ApplyReport, plan: Plan, cutOff: [SendReport]) -> Int {
        var unknown: [OccurrenceID: Int] = [:]
        for send in cutOff { unknown[send.occurrence] = send.tally[.unknown] }
        for send in plan.sends {
            guard let count = send.unit?.tally[.unknown] else { continue }
            unknown[send.occurrence] = max(unknown[send.occurrence] ?? 0, count)
        }
        for send in report.sends { unknown[send.occurrence, default: 0] += send.tally[.unknown] }
        return unknown.values.reduce(0, +)
    }

    private func rejections(_ sends: [SendReport]) -> [String] {
        let rejected = sends.filter(\.hasOtherRejections).reduce(0) { $0 + $1.tally[.rejected] }
        let lost = sends.count { $0.cameToNothing && !$0.hasOtherRejections }
        return [
            part(rejected, "rejected request"),
            part(lost, "send without a live recipient", plural: "sends without a live recipient"),
        ].compactMap(\.self)
    }
}
