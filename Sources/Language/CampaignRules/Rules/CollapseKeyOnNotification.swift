import CampaignMessages
import CampaignModel
import Diagnostics

extension RulePage {
    static let collapseKeyOnNotification = RulePage(
        .collapseKeyOnNotification,
        whatItDoes: """
            Finds `android.collapse_key` on a message that shows a notification on Android.
            """,
        whyIsThisBad: """
            Notification messages are always collapsible and ignore the key. What replaces an \
            older notification on the screen is its `tag`, which `delivery.collapse` writes.
            """,
        example: """
            campaign: regatta-score
            audience: { topic: azores }
            message:
              notification: { title: Harbour regatta, body: The blue gig leads }
              android: { collapse_key: score }
            """,
        useInstead: """
            campaign: regatta-score
            audience: { topic: azores }
            message:
              notification: { title: Harbour regatta, body: The blue gig leads }
            delivery: { collapse: score }
            """,
        source: "Firebase documentation, About FCM messages, Collapsible messages"
    )
}

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
            label: "without effect",
            help: [
                "write `delivery: { collapse: … }` or `android.notification.tag`: "
                    + "a newer notification then replaces the older one"
            ]
        )
    }
}
