import CampaignModel

/// Renders changes like `git diff --word-diff`: `[-removed-]` and `{+added+}`.
struct PlanMarkdownDiff {
    private let changes: [ChangeDescription]

    init(_ changes: [ChangeDescription]) {
        self.changes = changes
    }

    var lines: [String] { MarkdownText.block(changes.flatMap(lines), language: "diff") }

    private func lines(_ change: ChangeDescription) -> [String] {
        let platforms =
            (1..<Platform.allCases.count).contains(change.platforms.count)
            ? " (" + change.platforms.map(\.displayName).joined(separator: ", ") + ")" : ""
        let before = change.before.map { _ in "- " + side(change, without: .added) }
        let after = change.after.map { _ in "+ " + side(change, without: .removed) }
        return ["  " + change.name + platforms] + [before, after].compactMap(\.self)
    }

    private func side(_ change: ChangeDescription, without other: TextSegment.Kind) -> String {
        let isWhole = !change.segments.contains { $0.kind == .same || $0.kind == .elided }
        return change.segments.filter { $0.kind != other }.map { segment in
            let text = MarkdownText.excerpt(segment.text)
            return switch segment.kind {
            case .same: text
            case .elided: " … \(text) …"
            case .removed: isWhole ? text : "[-\(text)-]"
            case .added: isWhole ? text : "{+\(text)+}"
            }
        }.joined()
    }
}
