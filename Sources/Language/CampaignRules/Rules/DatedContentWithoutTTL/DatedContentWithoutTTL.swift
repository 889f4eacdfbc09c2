import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let datedContentWithoutTTL = Rule.ofWholeCampaigns(.datedContentWithoutTTL) {
        subject,
        log in
        guard subject.campaign.delivery.timeToLive == nil,
            subject.campaign.delivery.expires == nil,
            Platform.allCases.allSatisfy({ subject.text(at: $0.lifePath) == nil })
        else { return }
        for text in subject.seenTexts where text.isWording {
            guard let moment = NamedMoment.first(in: text.text) else { continue }
            log.report(.datedContentWithoutTTL(moment, at: subject.span(at: text.path)))
            return
        }
    }
}

extension Diagnostic {
    fileprivate static func datedContentWithoutTTL(
        _ moment: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .datedContentWithoutTTL,
            message: "the text names `\(moment)`, but the message has no time to live or expiry",
            span: span,
            label: "FCM stores it for four weeks, APNs for 30 days",
            help: ["write `delivery: { ttl: … }`"]
        )
    }
}
