import Diagnostics
import Text

extension RulePage {
    static let conditionSyntax = RulePage(
        .conditionSyntax,
        whatItDoes: """
            Refuses conditions that cannot be read.

            A condition joins `'NAME' in topics` with `&&`, `||` and parentheses; `!` negates what \
            follows it. It is also refused where a parenthesis is never closed, where parentheses \
            and `!` lie more than 64 deep, and where it names topics more than 1,000 times.
            """,
        whyIsThisBad: """
            FCM answers such a condition with INVALID_ARGUMENT, and nobody gets the message.
            """,
        example: """
            campaign: spring-tide
            audience: { condition: "'tides' in topics & 'azores' in topics" }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { condition: "'tides' in topics && 'azores' in topics" }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}
