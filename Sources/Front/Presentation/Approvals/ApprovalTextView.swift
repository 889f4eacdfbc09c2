package import Approvals
import Time

/// Renders the approvals of a plan.
package struct ApprovalTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    /// One line per approval.
    package func lines(_ count: ApprovalCount) -> String {
        count.approvals.map(line).joined()
    }

    /// The approvals and their number.
    package func render(_ count: ApprovalCount) -> String {
        let word = count.isEnough ? "Approved" : "Not approved"
        let head = style.paint(word, in: count.isEnough ? .good : .bad)
        return lines(count) + "\(head): \(count.signers.count) of \(count.need) signers\n"
    }

    private func line(_ approval: JudgedApproval) -> String {
        let name = TextStyle.safe(approval.principal ?? "an approval")
        let key = approval.key.map { " (\(TextStyle.safe($0)))" } ?? ""
        guard let refusal = approval.refusal else {
            let until = approval.expires.map { ", until \($0.utcText)" } ?? ""
            return "  \(style.paint("approved", in: .good)) \(name)\(key)\(until)\n"
        }
        let reason = ApprovalWording().text(of: refusal)
        return "  \(style.paint("refused", in: .bad)) \(name)\(key): \(reason)\n"
    }
}
