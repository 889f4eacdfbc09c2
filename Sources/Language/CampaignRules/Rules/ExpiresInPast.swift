import CampaignLoading
import CampaignModel
import Diagnostics
import Time

extension RulePage {
    static let expiresInPast = RulePage(
        .expiresInPast,
        whatItDoes: """
            Finds a `delivery.expires` that has come, of a campaign without a schedule.

            One that comes before the moment of a schedule is an error of the schedule.
            """,
        whyIsThisBad: """
            Once it has come nothing is sent any more. The campaign is recorded as expired, and \
            nobody gets it.
            """,
        example: """
            campaign: lock-closed
            audience: { topic: tides }
            message:
              notification: { title: Lock closed, body: Wait at the outer pier }
            delivery: { expires: "2036-12-31 12:00" }
            """,
        useInstead: """
            campaign: lock-closed
            audience: { topic: tides }
            message:
              notification: { title: Lock closed, body: Wait at the outer pier }
            delivery: { ttl: 4h }
            """,
        source: "Firebase documentation, About FCM messages, Setting the lifespan of a message"
    )
}

extension Rule {
    static let expiresInPast = Rule.ofCampaigns(.expiresInPast) { subject, log in
        guard case .immediate = subject.campaign.schedule,
            let expires = subject.campaign.delivery.expires, expires.instant <= subject.now
        else { return }
        let span = subject.declaration?.delivery?.value.expires?.span
        log.report(.expiresInPast(expires, at: span))
    }
}

extension Diagnostic {
    fileprivate static func expiresInPast(
        _ expires: ScheduledMoment,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .expiresInPast,
            message: "the message expires before it is sent",
            span: span,
            label: "this is \(expires.instant.utcText)",
            help: ["write a later moment, or a length such as `ttl: 4h`"]
        )
    }
}
