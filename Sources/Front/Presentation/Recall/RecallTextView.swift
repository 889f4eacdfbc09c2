import CampaignMessages
package import CampaignModel
package import Planning
package import State
package import Time

/// Renders what `herald recall` will do and has done.
package struct RecallTextView: Sendable {
    private let style: TextStyle
    private let now: Instant

    package init(style: TextStyle, now: Instant) {
        self.style = style
        self.now = now
    }

    /// Renders the plan of a recall.
    package func render(_ plan: RecallPlan) -> String {
        let name = style.paint(TextStyle.safe(plan.sent.id.description), in: .strong)
        var lines = ["Recall of \(name), sent to \(plan.unit.wording)"]
        lines.append("  " + address(plan))
        if plan.unsent > 0 {
            lines.append("  \(plan.unsent.counting("request")) not sent yet: cancelled")
        }
        lines.append("  \(wording(of: plan.message))")
        lines += Platform.allCases.compactMap { platform in
            effect(plan, on: platform).map { "  \(platform.displayName): \($0)" }
        }
        lines.append(
            "  expires with the message, \(MomentWording(now: now).distance(of: plan.end))"
        )
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func address(_ plan: RecallPlan) -> String {
        let unknown = plan.unit.tally[.unknown] + plan.unit.open
        guard case .registrations = plan.unit.target else {
            return "one message to the \(plan.unit.wording): it reaches the devices that are "
                + "subscribed now, which may be others than then"
        }
        let counts =
            "\(plan.unit.tally[.accepted].grouped) accepted"
            + (unknown > 0 ? ", \(unknown.grouped) unknown" : "")
        return "\(plan.reached.counting("registration")) (\(counts)); rejected and unsent ones get "
            + "nothing"
    }

    private func wording(of message: RecallMessage) -> String {
        switch message {
        case .silent: "silent: data, with which the app removes the notification by its key"
        case .notification(let title, let body):
            "text: "
                + [title, body].compactMap(\.self).map { "“\(TextStyle.safe($0))”" }
                .joined(separator: ", ")
        }
    }

    /// Nil if the message shows nothing on the platform.
    private func effect(_ plan: RecallPlan, on platform: Platform) -> String? {
        if plan.effect.left.contains(platform) {
            return "nothing: the message has no key there, so a second one would appear next to it"
        }
        guard plan.effect.replaced.contains(platform) else { return nil }
        return switch (plan.message, platform) {
        case (.notification, .android):
            "waiting notifications are replaced, shown ones are overwritten; a dismissed one appears "
                + "again with this text, because FCM cannot prevent that"
        case (.notification, .apple):
            "waiting notifications are replaced, shown ones are overwritten; a dismissed one appears "
                + "again with this text, because APNs cannot prevent that"
        case (.notification, .web):
            "shown notifications are overwritten, waiting ones when they arrive; a dismissed one "
                + "appears again with this text"
        case (.silent, .android):
            "the app must remove the notification; a waiting one may still appear, because data "
                + "replaces no notification"
        case (.silent, .apple):
            "the app must remove the notification; APNs may delay or drop background pushes, and a "
                + "waiting notification still appears"
        case (.silent, .web):
            "the service worker must close the notification; a waiting one still appears"
        }
    }

    /// Renders that another process performs the recall.
    package func renderRequested(_ occurrence: OccurrenceID, of holder: Worker?) -> String {
        style.folded(
            "Requested the recall of \(TextStyle.safe(occurrence.description)). It is performed by "
                + "\(name(of: holder)).\n"
        )
    }

    /// Names the process that holds the lock.
    package func name(of holder: Worker?) -> String {
        holder.map { "the process with the lock, \($0.wording)" } ?? "the process with the lock"
    }

    /// Renders the result of a recall that another process has performed.
    package func renderDone(_ recall: OccurrenceRecord) -> String {
        let name = TextStyle.safe((recall.id.recalled ?? recall.id).description)
        let tally = recall.unit?.tally ?? OutcomeTally()
        var counts = ["\(tally[.accepted].grouped) accepted"]
        for (outcome, word) in [
            (Outcome.rejected, "rejected"), (.unknown, "unknown"), (.expired, "expired"),
        ] where tally[outcome] > 0 {
            counts.append("\(tally[outcome].grouped) \(word)")
        }
        return style.folded("Recalled \(name): \(counts.joined(separator: ", ")).\n")
    }

    package static func question(_ occurrence: OccurrenceID) -> String {
        "Type the name of the occurrence to recall it, \(TextStyle.safe(occurrence.description)): "
    }
}
