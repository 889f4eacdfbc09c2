import CampaignMessages
import CampaignModel
import Diagnostics
import Time

extension Rule {
    static let apnsExpirationInPast = Rule.ofCampaigns(.apnsExpirationInPast) { subject, log in
        guard subject.kind(on: .apple) != .nothing,
            case .until(let expiry)? = subject.content.statedLife(on: .apple),
            expiry <= subject.momentOfSending
        else { return }
        let span = subject.span(at: Platform.apple.lifePath)
        log.report(.apnsExpirationInPast(expiry, at: span))
    }
}

extension Diagnostic {
    fileprivate static func apnsExpirationInPast(
        _ expiry: Instant,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .apnsExpirationInPast,
            message: "the message expires before it is sent",
            span: span,
            label: "expires at \(expiry.utcText)",
            help: ["write `delivery: { ttl: … }`; Herald computes the header when it sends"]
        )
    }
}
