import Diagnostics
import Text

extension RulePage {
    static let deprecatedKey = RulePage(
        .deprecatedKey,
        whatItDoes: """
            Finds keys that FCM has given up.

            It is one: `bypass_proxy_notification` in a notification for Android. It is still \
            sent.
            """,
        whyIsThisBad: "The key is gone from the reference, so FCM may refuse or ignore it one day.",
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { bypass_proxy_notification: true } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification: { title: High water, body: Best angling before it. }
              android: { notification: { proxy: DENY } }
            delivery: { ttl: 4h }
            """,
        source: "Firebase reference, REST resource projects.messages, AndroidNotification"
    )
}
