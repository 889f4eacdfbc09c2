import Diagnostics
import Text

extension RulePage {
    static let wrongKind = RulePage(
        .wrongKind,
        whatItDoes: """
            Refuses values of another kind than their key takes.

            It finds a list, a mapping or nothing where a text or a number belongs, the reverse, \
            text where a number or `true` or `false` belongs, a registration where the path of a \
            list belongs, and something else than mappings behind the merge key `<<`. Of the \
            values in `data` it is `data-value` that says so.
            """,
        whyIsThisBad: """
            Nothing certain can be made of it, and FCM refuses a message in which a field has \
            another type than its own.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: [azores, madeira] }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { condition: "'azores' in topics || 'madeira' in topics" }
            message:
              notification: { title: High water, body: Best angling before it. }
            delivery: { ttl: 4h }
            """,
        source: """
            Herald, Documentation/Reference/Language.md; Firebase reference, REST resource projects.messages
            """
    )
}
