package import Applying
package import CampaignMessages
package import CampaignModel
package import RunControl
package import State
package import Time

/// Renders what `herald resolve` will do and has done.
package struct ResolutionTextView: Sendable {
    private let style: TextStyle
    private let now: Instant
    private let hint: CommandHint

    package init(style: TextStyle, now: Instant, hint: CommandHint = .local) {
        self.style = style
        self.now = now
        self.hint = hint
    }

    /// `problems`: the first unknown requests.
    ///
    /// `effect`: the effect of repeating the message; nil if the message cannot be read.
    package func render(
        _ occurrence: OccurrenceOverview,
        resolution: Resolution,
        problems: [SendProblem],
        effect: RepeatEffect?
    ) -> String {
        let name = style.paint(TextStyle.safe(occurrence.id.description), in: .strong)
        let audience = occurrence.unit.map { "to \($0.wording): " } ?? ""
        let named = problems.map { problem in
            let who = problem.fingerprint.map { "  \($0)" } ?? ""
            return "  \(style.paint("unknown", in: .bad))\(who)  \(TextStyle.safe(problem.reason))"
        }
        let more = occurrence.counts.unknown - problems.count
        let lines =
            ["\(name)  \(audience)\(occurrence.counts.wording)"] + named
            + (more > 0 ? ["  … and \(more.grouped) more"] : [])
            + [wording(for: occurrence, resolution: resolution, effect: effect)]
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func wording(
        for occurrence: OccurrenceOverview,
        resolution: Resolution,
        effect: RepeatEffect?
    ) -> String {
        let count = occurrence.counts.unknown
        let unknown = count.counting("unknown request")
        let goesOn = if case .held = occurrence.phase { " Sending resumes." } else { "" }
        switch resolution {
        case .sent: return "\(unknown) will count as accepted; nothing is sent for them.\(goesOn)"
        case .drop: return "\(unknown) will be given up; nothing is sent for them.\(goesOn)"
        case .resend where count == 0: return "It is no longer held: the next apply resumes it."
        case .resend:
            let twice = effect?.wording ?? "Some devices may receive the message twice."
            return "\(unknown) will be sent again with the next apply. \(twice)\(goesOn)"
        }
    }

    /// Renders a resolution that was performed at once.
    package func renderDone(_ occurrence: OccurrenceID, changed: OutcomeTally) -> String {
        let counts = [
            (changed[.accepted], "counted as accepted"),
            (changed[.returned], "to be sent again: run `\(hint("apply"))`"),
            (changed[.cancelled], "given up"),
        ]
        let done = counts.first { $0.0 > 0 }.map { "\($0.0.counting("request")) \($0.1)" }
        let wording = done ?? "no longer held: run `\(hint("apply"))`"
        return style.folded("Resolved \(TextStyle.safe(occurrence.description)): \(wording).\n")
    }

    /// Renders a resolution that the holder of the lock will perform.
    package func renderAsked(_ occurrence: OccurrenceID, of holder: Worker?) -> String {
        let who =
            holder.map { "the run with the lock, \($0.wording)," } ?? "the run with the lock"
        return style.folded(
            "Requested for \(TextStyle.safe(occurrence.description)): \(who) performs it before it "
                + "exits, or the next apply does.\n"
        )
    }

    /// Describes an earlier request: its author and resolution.
    package func author(_ asked: RequestedResolution) -> String {
        "\(asked.resolution.name), by \(TextStyle.safe(asked.user)) on "
            + "\(TextStyle.safe(asked.host)) \(MomentWording(now: now).ago(asked.at))"
    }
}

extension RepeatEffect {
    /// What a repeat does on the devices that received the first message.
    fileprivate var wording: String {
        let twice = "Some devices may receive the message twice"
        if replacesEverywhere { return "\(twice); the second replaces the first." }
        if replaced.isEmpty { return "\(twice)." }
        return "\(twice); the second replaces the first on \(replaced.names), but not on "
            + "\(doubled.names)."
    }
}
