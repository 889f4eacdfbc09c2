import CampaignMessages
import CampaignModel
package import CampaignPlanning
import CampaignState
import FCMWire
import Scheduling

/// The plan as people read it.
package struct PlanTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ plan: Plan) -> String {
        var lines: [String] = []
        let hint = CommandHint(for: plan.environment)
        let notices = PlanNoticeText(style: style, hint: hint)
        if plan.hasChanges {
            lines.append("Plan for \(plan.environment) of \(plan.project), \(plan.now.utcText)")
            lines.append("")
        }
        lines += plan.memberships.flatMap(membershipLines)
        if !plan.memberships.isEmpty { lines.append("") }
        var described: Set<CampaignID> = []
        for action in plan.campaigns where action.step != .unchanged {
            let message = described.contains(action.campaign) ? [] : messageLines(action)
            if !message.isEmpty { described.insert(action.campaign) }
            lines += campaignLines(action, message, now: plan.now, hint)
        }
        let notes = plan.notices.map(notices.line)
        if !notes.isEmpty { lines += [style.paint("Notes", .strong)] + notes + [""] }
        let guards = GuardTextView(style: style).lines(plan)
        if !guards.isEmpty { lines += guards + [""] }
        if plan.leftOut > 0 {
            lines.append("\(plan.leftOut.counting("campaign")) left out by --only or --except.")
        }
        lines.append(summary(plan))
        lines.append("Digest \(plan.digest)")
        return lines.joined(separator: "\n") + "\n"
    }

    private func summary(_ plan: Plan) -> String {
        let unchanged = plan.campaigns.count { $0.step == .unchanged }
        let summary = PlanSummary(plan)
        guard plan.hasChanges || summary.stopped + summary.paused > 0 else {
            return "Nothing to do: \(unchanged.counting("campaign")) as applied."
        }
        let parts = [
            (summary.leaves, "leave", "leaves"), (summary.joins, "join", "joins"),
            (summary.forgotten, "membership no longer kept", "memberships no longer kept"),
            (summary.noted, "membership noted", "memberships noted"),
            (summary.sends, "send", "sends"), (summary.scheduled, "scheduled", "scheduled"),
            (summary.changed, "changed", "changed"), (summary.cancelled, "removed", "removed"),
            (summary.expired, "too late", "too late"), (summary.stopped, "stopped", "stopped"),
            (summary.paused, "paused", "paused"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { $0.0.counting($0.1, $0.2) }
        let rest = unchanged > 0 ? ", \(unchanged.counting("campaign")) unchanged" : ""
        return "Plan: \(words.joined(separator: ", ")); "
            + "\(summary.requests.counting("request"))\(rest)."
    }

    private func membershipLines(_ change: MembershipChange) -> [String] {
        let scope = change.scope
        var lines: [String] = []
        if !change.leaves.isEmpty {
            let leaving = change.leaves.count.counting("leaves", "leave")
            lines.append(
                line("-", .bad, scope.audience.rawValue, "\(leaving) topic \(scope.topic)")
            )
        }
        if !change.joins.isEmpty {
            let joining = change.joins.count.counting("joins", "join")
            lines.append(
                line("+", .good, scope.audience.rawValue, "\(joining) topic \(scope.topic)")
            )
        }
        if !change.forgotten.isEmpty {
            lines.append(
                line(
                    "-",
                    .faint,
                    scope.audience.rawValue,
                    "\(change.forgotten.count.grouped) no longer kept in topic \(scope.topic) by "
                        + "this audience; nothing is sent for them"
                )
            )
        }
        if !change.noted.isEmpty {
            lines.append(
                line(
                    "+",
                    .faint,
                    scope.audience.rawValue,
                    "\(change.noted.count.grouped) in topic \(scope.topic) before us, or gone from it "
                        + "by themselves, as another audience knows; nothing is sent for them"
                )
            )
        }
        return lines
    }

    private func line(
        _ symbol: String,
        _ tone: TextStyle.Tone,
        _ name: String,
        _ text: String
    ) -> String {
        "  \(style.paint(symbol, tone)) \(style.paint(name.padded(to: 24), .strong)) \(text)"
    }

    private func campaignLines(
        _ action: CampaignAction,
        _ message: [String],
        now: Instant,
        _ hint: CommandHint
    ) -> [String] {
        let (symbol, tone, text) = words(for: action, now: now, hint)
        let details = message + changeLines(action)
        return [line(symbol, tone, action.campaign.rawValue, text)] + details.map { "      " + $0 }
            + [""]
    }

    /// What is sent, where something is about to be or stays scheduled; once for each campaign.
    private func messageLines(_ action: CampaignAction) -> [String] {
        let template: MessageTemplate? =
            switch action.step {
            case .send(let send), .resume(let send): send.template
            case .schedule, .reschedule, .redefine: action.template
            default: nil
            }
        guard let template else { return [] }
        let text = MessageText(
            template: template,
            audience: action.audience,
            key: action.step.deduplicationKey
        )
        return text.lines.map { style.paint($0, .faint) }
    }

    private func changeLines(_ action: CampaignAction) -> [String] {
        guard !action.step.isUnderWay else { return [] }
        return action.changes.map { change in
            let before = change.before.map { TextStyle.safe($0.compactText) } ?? "(absent)"
            let after = change.after.map { TextStyle.safe($0.compactText) } ?? "(absent)"
            return "\(TextStyle.safe(change.path)): \(style.paint(before, .bad)) → "
                + style.paint(after, .good)
        }
    }

    private func words(
        for action: CampaignAction,
        now: Instant,
        _ hint: CommandHint
    ) -> (String, TextStyle.Tone, String) {
        let text = PlanStepText(now: now, hint: hint, audience: action.audience)
        let words = text.words(action.step)
        return (words.symbol, words.tone, words.text)
    }
}

extension PlannedAudience {
    /// Whom it reaches, in words: by name for lists, with the declared reach for topics.
    var words: String {
        switch self {
        case .topic(let topic, let reach):
            "topic \(topic)" + (reach.map { " (declared reach \($0.grouped))" } ?? "")
        case .condition(let text): "condition \(TextStyle.safe(text))"
        case .group(let name): "device group \(TextStyle.safe(name.text))"
        case .list(let name, let count):
            (count.map { $0.counting("registration") } ?? "the registrations")
                + (name.map { " of \(TextStyle.safe($0))" } ?? " written in the campaign")
        }
    }
}
