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
        let wording = RecallWording(plan)
        lines.append("  " + wording.address)
        if let cancelled = wording.cancelled { lines.append("  " + cancelled) }
        lines.append("  \(wording.message)")
        lines += wording.effects.map { "  " + $0 }
        lines.append(
            "  expires with the message, \(MomentWording(now: now).distance(of: plan.end))"
        )
        return style.folded(lines.joined(separator: "\n") + "\n")
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
