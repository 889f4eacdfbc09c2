import Diagnostics
import Text

extension RulePage {
    static let collapseIDTooLong = RulePage(
        .collapseIDTooLong,
        whatItDoes: """
            Refuses an `apns-collapse-id` that is empty or longer than 64 bytes.

            Bytes of UTF-8 count, not letters: `é` has two. `delivery.collapse` writes this header \
            and takes 32 characters at most, because the web allows no more.
            """,
        whyIsThisBad: "Apple's service refuses the request, and no Apple device gets the message.",
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              apns:
                headers:
                  apns-collapse-id: maré-viva-do-equinócio-no-grupo-central-das-ilhas-dos-açores-37
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
              apns:
                headers:
                  apns-collapse-id: maré-viva-açores-37
            delivery: { ttl: 4h }
            """,
        source: "Apple documentation, Sending notification requests to APNs"
    )
}
