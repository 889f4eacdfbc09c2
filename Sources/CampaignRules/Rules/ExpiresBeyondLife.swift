import CampaignLoading
import CampaignModel
import Diagnostics
import Scheduling

extension RulePage {
    static let expiresBeyondLife = RulePage(
        .expiresBeyondLife,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: finds a `delivery.expires` that lies more than 28 days behind the moment of
    /// sending.
    ///
    /// Why is this bad: FCM keeps no message longer for Android and the web, so a phone that is
    /// away for a month misses it long before the moment that is written.
    ///
    /// Example: `delivery: { expires: "2037-06-01 12:00" }` for a message of March
    ///
    /// Use instead: a moment within 28 days, or a second message later
    ///
    /// Source: Firebase documentation, About FCM messages, Setting the lifespan of a message.
    static let expiresBeyondLife = Rule.ofCampaigns(.expiresBeyondLife) { subject, log in
        guard let expires = subject.campaign.delivery.expires,
            expires.instant.seconds(since: subject.momentOfSending) > TimeToLive.maximumSeconds
        else { return }
        let span = subject.declaration?.delivery?.value.expires?.span
        log.report(.expiresBeyondLife(at: span))
    }
}

extension Diagnostic {
    fileprivate static func expiresBeyondLife(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .expiresBeyondLife,
            message: "FCM does not keep the message until it expires",
            span: span,
            label: "more than 28 days after it is sent",
            help: ["Android and the web keep it 28 days: write an earlier moment"]
        )
    }
}
