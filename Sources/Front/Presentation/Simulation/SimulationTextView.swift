import DeliveryModel
import Simulation

/// The simulation result as text for terminals.
package struct SimulationTextView: Sendable {
    private let style: TextStyle
    private let story: SimulationDescription

    package init(_ story: SimulationDescription, style: TextStyle) {
        self.story = story
        self.style = style
    }

    package func render() -> String {
        var lines = [style.paint(story.headline, in: .strong), story.devices]
        lines += story.assumptions.map { style.paint("  assumed: \($0)", in: .faint) }
        if story.result.campaigns.isEmpty { lines += ["", "Nothing is sent in this period."] }
        for campaign in story.result.campaigns { lines += [""] + block(campaign) }
        lines += [""] + story.pressure
        if !story.differences.isEmpty {
            lines += ["", style.paint("Compared with what is applied", in: .strong)]
            lines += story.differences.map { "  " + $0 }
        }
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func block(_ campaign: CampaignOutcome) -> [String] {
        let name = style.paint(TextStyle.safe(campaign.campaign), in: .strong)
        var lines = ["\(name)  \(story.sends(campaign))"]
        let total = campaign.outcomes.total
        for outcome in MessageOutcome.allCases where campaign.outcomes[outcome] > 0 {
            let count = campaign.outcomes[outcome]
            let share = SimulationWording.share(count, of: total)
            let text = "\(share.aligned(8))  \(count.grouped.aligned(12))  \(outcome.meaning)"
            lines.append(style.paint(text, in: outcome.tone))
        }
        lines += story.arms(campaign).map { "  " + $0 }
        if let delays = story.delays(campaign) { lines.append("  " + delays) }
        lines += story.spreading(campaign).map { "  " + $0 }
        return lines
    }
}

extension MessageOutcome {
    fileprivate var tone: TextStyle.Tone {
        switch self {
        case .delivered: .good
        case .pending, .collapsed, .nothingForPlatform: .plain
        case .droppedTtlExpired, .droppedTooManyPendingMessages, .droppedDeviceInactive,
            .droppedAppForceStopped, .droppedUninstalled, .droppedUnregistered:
            .attention
        }
    }
}

extension String {
    /// Aligns the text to the right.
    fileprivate func aligned(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
