package import Approvals

/// Renders an approval for a comment of a pull request.
package struct ApprovalCommentView: Sendable {
    package init() {}

    /// A block of code, so that no platform formats the text.
    package func render(_ approval: SignedApproval) -> String { "```\n\(approval.text)```\n" }

    package func written(to path: String) -> String {
        "Written to \(TextStyle.safe(path)). Paste the text above into a comment of the pull "
            + "request, or pass the file to `herald apply --approvals`.\n"
    }
}
