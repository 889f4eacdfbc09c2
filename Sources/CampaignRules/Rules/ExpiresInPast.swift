import CampaignLoading
import CampaignModel
import Diagnostics
import Scheduling

extension RulePage {
    static let expiresInPast = RulePage(
        .expiresInPast,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: finds a `delivery.expires` that has come when a campaign without a schedule
    /// is checked.
    ///
    /// One that comes before the moment of a schedule is an error of the schedule.
    ///
    /// Why is this bad: once it has come nothing is sent any more. The campaign is recorded as
    /// expired, and nobody gets it.
    ///
    /// Example: `delivery: { expires: "2020-11-07 12:00" }`
    ///
    /// Use instead: `delivery: { ttl: 4h }`
    ///
    /// Source: Firebase documentation, About FCM messages, Setting the lifespan of a message.
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
