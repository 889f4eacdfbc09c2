import CampaignLoading
import CampaignModel
import Diagnostics
import Time

extension Rule {
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
            message: "FCM does not store the message until it expires",
            span: span,
            label: "more than 28 days after the send",
            help: ["write an earlier time: FCM stores messages for at most 28 days"]
        )
    }
}
