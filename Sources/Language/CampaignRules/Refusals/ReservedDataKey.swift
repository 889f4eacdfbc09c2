import Diagnostics
import Text

extension RulePage {
    static let reservedDataKey = RulePage(
        .reservedDataKey,
        whatItDoes: """
            Refuses names in `data` that FCM keeps for itself.

            They are `from`, `message_type`, and all that begin with `google.` or \
            `gcm.notification.`; `android.data` and `webpush.data` are looked at too. Names that \
            only older documents reserve are a warning, `reserved-data-key-legacy`.
            """,
        whyIsThisBad: """
            FCM answers a message with such a name with INVALID_ARGUMENT, and nobody gets it.
            """,
        example: """
            campaign: ferry-delay
            audience: { topic: azores }
            message:
              notification: { title: The ferry is late, body: It is still in Horta. }
              data: { from: horta }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: ferry-delay
            audience: { topic: azores }
            message:
              notification: { title: The ferry is late, body: It is still in Horta. }
              data: { from_harbour: horta }
            delivery: { ttl: 4h }
            """,
        source: """
            Firebase reference, ErrorCode, INVALID_ARGUMENT; Firebase reference, REST resource \
            projects.messages
            """
    )
}
