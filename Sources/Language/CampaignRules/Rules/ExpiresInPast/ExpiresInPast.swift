import CampaignLoading
import CampaignModel
import Diagnostics
import Time

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
            label: "expires at \(expires.instant.utcText)",
            help: ["write a later time, or a duration such as `ttl: 4h`"]
        )
    }
}
