import CampaignModel
package import Memberships
import Planning
import State

/// Renders the result of a membership refresh as text.
package struct RefreshTextView: Sendable {
    private let style: TextStyle
    /// The maximum number of registrations to list per audience and topic.
    private static let named = 20

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ report: RefreshReport) -> String {
        let dead = report.dead > 0 ? ", \(report.dead.grouped) of them dead" : ""
        let head = "Read \(report.read.counting("registration"))\(dead)."
        let lines = report.findings.all.flatMap { scope, found in
            let named = found.prefix(Self.named).map { fingerprint, finding in
                "  \(style.paint(finding.label.padded(to: 9), in: .attention)) \(scope.audience) "
                    + "\(scope.topic)  \(fingerprint)  \(finding.wording)"
            }
            let more = found.count - named.count
            return named + (more > 0 ? ["            … and \(more.grouped) more"] : [])
        }
        return style.folded(([head] + lines).joined(separator: "\n") + "\n")
    }
}

extension MembershipFindings.Finding {
    fileprivate var label: String {
        switch self {
        case .leftByHimself: "opted out"
        case .isBack: "is back"
        case .externalLeft: "gone"
        }
    }

    fileprivate var wording: String {
        switch self {
        case .leftByHimself: "unsubscribed by the app or the user"
        case .isBack: "subscribed again by the app; Herald no longer removes it"
        case .externalLeft: "was subscribed before Herald's first join, and unsubscribed"
        }
    }
}
