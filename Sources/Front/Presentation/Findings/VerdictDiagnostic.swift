package import Applying
package import CampaignLoading
package import Diagnostics

extension Diagnostic {
    /// Reports FCM's verdict at the location in the file that it refers to.
    package static func verdict(
        _ verdict: MessageVerdict,
        in declarations: Declarations
    ) -> Diagnostic {
        let declared = declarations.campaigns.first {
            $0.value.campaign?.value == verdict.campaign
        }?.value
        switch verdict.finding {
        case .message(let words, let path):
            let span = declared?.message?.value.span(at: path) ?? declared?.message?.span
            return Diagnostic(
                rule: .fcmVerdict,
                message: "FCM rejects the message of `\(verdict.campaign)`: \(words)",
                span: span,
                label: path.isEmpty ? "this message" : path.joined(separator: ".")
            )
        case .registration(let reason):
            return Diagnostic(
                rule: .fcmVerdict,
                severity: .warning,
                message: "FCM did not validate the message of `\(verdict.campaign)`: it rejects "
                    + "the first registration of the list with \(reason)",
                span: declared?.audience?.span,
                label: "this list",
                help: ["move a working registration to the top, such as one of your own"]
            )
        }
    }
}
