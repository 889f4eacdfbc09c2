import CampaignModel
import HTML

/// Renders the differences from the last apply, word by word.
struct PlanPageChanges {
    let changes: [ChangeDescription]

    var node: HTMLNode {
        HTMLNode(.div, .class("changes")) {
            HTMLNode(.h4, text: "Changed")
            HTMLNode(.dl, .class("facts")) { changes.flatMap(change) }
        }
    }

    private func change(_ change: ChangeDescription) -> [HTMLNode] {
        [
            HTMLNode(.dt) {
                HTMLNode(.bdi, text: change.name)
                if !change.platforms.isEmpty, change.platforms.count < Platform.allCases.count {
                    HTMLNode(.small, text: " " + platforms(change))
                }
            },
            HTMLNode(.dd, .class("diff"), .ownDirection) { change.segments.map(segment) },
        ]
    }

    /// For example, `Android, web`.
    private func platforms(_ change: ChangeDescription) -> String {
        change.platforms.map(\.displayName).joined(separator: ", ")
    }

    private func segment(_ segment: TextSegment) -> HTMLNode {
        switch segment.kind {
        case .same: .text(segment.text)
        case .removed: HTMLNode(.del, text: segment.text)
        case .added: HTMLNode(.ins, text: segment.text)
        case .elided: HTMLNode(.span, .class("elided"), text: " … \(segment.text) … ")
        }
    }
}
