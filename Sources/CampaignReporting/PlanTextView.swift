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
        let notices = PlanNoticeText(style: style)
        if plan.hasChanges {
            lines.append("Plan for \(plan.environment) of \(plan.project), \(plan.now.utcText)")
            lines.append("")
        }
        lines += plan.memberships.flatMap(membershipLines)
        if !plan.memberships.isEmpty { lines.append("") }
        for action in plan.campaigns where action.step != .unchanged {
            lines += campaignLines(action, now: plan.now)
        }
        let notes = plan.notices.map(notices.line)
        if !notes.isEmpty { lines += [style.paint("Notes", .strong)] + notes + [""] }
        lines.append(summary(plan))
        return lines.joined(separator: "\n") + "\n"
    }

    private func summary(_ plan: Plan) -> String {
        let unchanged = plan.campaigns.count { $0.step == .unchanged }
        let summary = PlanSummary(plan)
        guard plan.hasChanges || summary.stopped > 0 else {
            return "Nothing to do: \(unchanged.counting("campaign")) as applied."
        }
        let parts = [
            (summary.leaves, "leave", "leaves"), (summary.joins, "join", "joins"),
            (summary.forgotten, "membership no longer kept", "memberships no longer kept"),
            (summary.noted, "membership noted", "memberships noted"),
            (summary.sends, "send", "sends"), (summary.scheduled, "scheduled", "scheduled"),
            (summary.changed, "changed", "changed"), (summary.cancelled, "removed", "removed"),
            (summary.expired, "too late", "too late"), (summary.stopped, "stopped", "stopped"),
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

    private func campaignLines(_ action: CampaignAction, now: Instant) -> [String] {
        let (symbol, tone, text) = words(for: action, now: now)
        let details = messageLines(action) + changeLines(action)
        return [line(symbol, tone, action.campaign.rawValue, text)] + details.map { "      " + $0 }
            + [""]
    }

    /// What is sent, where something is about to be or stays scheduled.
    private func messageLines(_ action: CampaignAction) -> [String] {
        let template: MessageTemplate? =
            switch action.step {
            case .send(let send), .resume(let send): send.template
            case .schedule, .reschedule, .redefine: action.template
            default: nil
            }
        guard let template else { return [] }
        return MessageText(template: template, audience: action.audience).lines.map {
            style.paint($0, .faint)
        }
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
        now: Instant
    ) -> (String, TextStyle.Tone, String) {
        let moments = MomentText(now: now)
        let whom = action.audience.map { "to " + $0.words } ?? ""
        return switch action.step {
        case .send: (">", .good, "sends now \(whom)")
        case .resume(let send):
            (
                ">", .attention,
                "goes on where it stopped, with the message it began with: "
                    + "\(send.remaining.counting("request")) left \(whom)"
            )
        case .lapse(let send):
            (
                "!", .bad,
                "stopped, and its message has outlived its time since: "
                    + "\(send.remaining.counting("request")) will not be sent"
            )
        case .schedule(_, let moment):
            ("+", .good, "is scheduled for \(moments.words(moment)), \(whom)")
        case .reschedule(_, let from, let to):
            ("~", .attention, "moves from \(from.utcText) to \(moments.words(to)), \(whom)")
        case .expire(_, let moment):
            ("!", .bad, "is too late, nothing is sent: it was due \(moments.words(moment))")
        case .outlive(_, let moment):
            (
                "!", .bad,
                "has expired, nothing is sent: it was worth sending until \(moments.words(moment))"
            )
        case .redefine(let moment):
            ("~", .attention, "changed; stays scheduled for \(moments.words(moment))")
        case .alreadySent: ("~", .attention, "already sent, so the change sends nothing")
        case .stopped(_, let count):
            (
                "!", .bad,
                "stopped: \(count.counting("outcome")) unknown, so it is not repeated; take it out to give "
                    + "it up, or give it another name to send it again"
            )
        case .cancel: ("-", .bad, "is gone from the files: what was not sent is cancelled")
        case .retire: ("-", .faint, "is gone from the files; its history stays")
        case .unchanged: (" ", .plain, "unchanged")
        }
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
