import CampaignModel
package import Planning

/// Says what happens to an interrupted send whose list cannot be read.
package struct UnreadableListWording: Sendable {
    private let hint: CommandHint

    package init(hint: CommandHint) {
        self.hint = hint
    }

    /// Continues `note: `.
    package func text(of list: UnreadableList) -> String {
        let remaining = list.remaining.counting("request remains", plural: "requests remain")
        let apply = hint("apply")
        return "the send \(list.occurrence) was interrupted, and \(remaining), to the list that "
            + "was stored when it began. If you correct the files, the next `\(apply)` sends "
            + "them. If you remove the campaign, it cancels them."
    }
}
