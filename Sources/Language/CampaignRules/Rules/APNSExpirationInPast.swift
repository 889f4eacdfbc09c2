import CampaignMessages
import CampaignModel
import Diagnostics
import Time

extension RulePage {
    static let apnsExpirationInPast = RulePage(
        .apnsExpirationInPast,
        whatItDoes: """
            Finds an `apns-expiration` that has passed when the message is sent.

            0 is none: it means now or never.
            """,
        whyIsThisBad: """
            Apple's service tries such a message once and stores it for nobody. The field is a \
            moment, not a length of time, so that a value copied from an example is long over.
            """,
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              apns: { headers: { apns-expiration: "1604750400" } }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            delivery: { ttl: 4h }
            """,
        source: "Apple documentation, Sending notification requests to APNs"
    )
}

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
            label: "this is \(expiry.utcText)",
            help: ["write `delivery: { ttl: … }` to have it computed at the moment of sending"]
        )
    }
}
