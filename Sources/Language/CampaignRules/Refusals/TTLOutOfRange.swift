import Diagnostics
import Text

extension RulePage {
    static let ttlOutOfRange = RulePage(
        .ttlOutOfRange,
        whatItDoes: """
            Refuses times to live of more than 28 days (2,419,200 seconds), and what is no such \
            time.

            `delivery.ttl` is written `12h`, `1h30m` or `0`; `android.ttl` in seconds with at most \
            nine decimals, `3.5s`; the web push header `TTL` in whole seconds, `86400`. 0 is now \
            or never. Text that is no duration is found here in the two fields of FCM's, and under \
            `duration-syntax` in `delivery`.
            """,
        whyIsThisBad: """
            FCM keeps a message for 28 days at most and refuses a longer time with \
            INVALID_ARGUMENT.
            """,
        example: """
            campaign: magazine
            audience: { topic: tides }
            message:
              notification: { title: Harbour magazine, body: The new edition is here. }
            delivery: { ttl: 30d }
            """,
        useInstead: """
            campaign: magazine
            audience: { topic: tides }
            message:
              notification: { title: Harbour magazine, body: The new edition is here. }
            delivery: { ttl: 28d }
            """,
        source: """
            Firebase documentation, Setting the lifespan of a message; Firebase reference, REST \
            resource projects.messages; RFC 8030, section 5.2
            """
    )
}
