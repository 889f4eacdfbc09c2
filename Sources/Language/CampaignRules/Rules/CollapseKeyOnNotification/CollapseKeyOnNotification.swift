import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let collapseKeyOnNotification = Rule.ofCampaigns(
        .collapseKeyOnNotification
    ) { subject, log in
        let path = ["android", "collapse_key"]
        guard subject.text(at: path) != nil, subject.kind(on: .android).showsSomething
        else { return }
        log.report(.collapseKeyOnNotification(at: subject.span(at: path)))
    }
}

extension Diagnostic {
    fileprivate static func collapseKeyOnNotification(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .collapseKeyOnNotification,
            message: "FCM ignores the `collapse_key` of a notification",
            span: span,
            label: "has no effect",
            help: [
                "to replace older notifications, write `delivery: { collapse: … }` or "
                    + "`android.notification.tag`"
            ]
        )
    }
}
