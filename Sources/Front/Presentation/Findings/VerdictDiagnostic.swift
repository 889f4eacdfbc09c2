package import Applying
package import CampaignLoading
import CampaignModel
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
            let localized = declared?.locales?.value.first {
                $0.name.value == verdict.locale.map(LocaleRange.locale)
            }
            let text = localized?.content ?? declared?.message?.value
            let span = text?.span(at: path) ?? declared?.message?.span
            let language = verdict.locale.map { " in `\($0)`" } ?? ""
            return Diagnostic(
                rule: .fcmVerdict,
                message: "FCM rejects the message of `\(verdict.campaign)`\(language): \(words)",
                span: span,
                label: path.isEmpty ? "this message" : path.joined(separator: ".")
            )
        case .registration(let reason):
            return Diagnostic(
                rule: .fcmVerdict,
                severity: .warning,
                message: "FCM did not validate the message of `\(verdict.campaign)`: it rejects "
                    + "the first registration of the list with \(reason)",
                span: declarations.listSpan(of: declared),
                label: "this list",
                help: ["move a working registration to the top, such as one of your own"]
            )
        }
    }
}

extension Declarations {
    /// The list of a campaign, which may be in the document of its audience.
    fileprivate func listSpan(of campaign: CampaignDeclaration?) -> SourceSpan? {
        guard let reference = campaign?.audience else { return nil }
        switch reference.value {
        case .registrations(let list): return list.span
        case .named(let name):
            let audience = audiences.first { $0.value.audience?.value == name }
            return audience?.value.listSpan ?? reference.span
        case .topic, .condition, .group: return reference.span
        }
    }
}
