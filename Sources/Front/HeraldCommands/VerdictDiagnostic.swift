import Applying
import CampaignLoading
import Diagnostics

extension Diagnostic {
    /// Reports FCM's verdict at the location in the file that it refers to.
    static func verdict(
        _ verdict: MessageVerdict,
        _ declarations: Declarations
    ) -> Diagnostic {
        let declared = declarations.campaigns.first {
            $0.value.campaign?.value == verdict.campaign
        }?.value
        switch verdict.finding {
        case .message(let words, let path):
            let span = declared?.message?.value.span(at: path) ?? declared?.message?.span
            return Diagnostic(
                rule: .fcmVerdict,
                message: "FCM does not take the message of `\(verdict.campaign)`: \(words)",
                span: span,
                label: path.isEmpty ? "this message" : path.joined(separator: ".")
            )
        case .registration(let reason):
            return Diagnostic(
                rule: .fcmVerdict,
                severity: .warning,
                message: "FCM did not look at the message of `\(verdict.campaign)`: the first "
                    + "registration of its list is answered \(reason)",
                span: declared?.audience?.span,
                label: "this list",
                help: ["put a registration that works first, such as one of your own"]
            )
        }
    }
}
