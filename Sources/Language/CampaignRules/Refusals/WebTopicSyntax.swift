import Diagnostics
import Text

extension RulePage {
    static let webTopicSyntax = RulePage(
        .webTopicSyntax,
        whatItDoes: """
            Refuses collapse keys that are not 1 to 32 of the characters `a-z A-Z 0-9 - _`.

            It looks at `delivery.collapse`, which has to serve on all platforms, and at the web \
            push header `Topic`. Longer keys can be written for Android and Apple devices in their \
            own fields.
            """,
        whyIsThisBad: """
            A push service refuses a `Topic` of any other form, so that browsers would get \
            nothing.
            """,
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, collapse: spring tide }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, collapse: spring-tide }
            """,
        source: "RFC 8030, section 5.4"
    )
}
