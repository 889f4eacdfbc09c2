import Diagnostics
import Text

extension RulePage {
    static let invalidHeader = RulePage(
        .invalidHeader,
        whatItDoes: """
            Refuses values that a header of Apple's or of web push does not have.

            `apns-priority` is 1, 5 or 10; `apns-push-type` one of Apple's eleven types; \
            `apns-expiration` a UNIX time in seconds of at most 11 digits, or 0 for now or never; \
            `apns-topic` a bundle ID; `apns-id` a UUID; the web's `Urgency` is `very-low`, `low`, \
            `normal` or `high`.
            """,
        whyIsThisBad: """
            FCM passes headers on, and Apple or the push service refuses the request: what FCM \
            accepted never arrives.
            """,
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              webpush: { headers: { Urgency: urgent } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              webpush: { headers: { Urgency: high } }
            delivery: { ttl: 4h }
            """,
        source: "Apple documentation, Sending notification requests to APNs; RFC 8030, section 5.3"
    )
}
