import Diagnostics
import Text

extension RulePage {
    static let unknownValue = RulePage(
        .unknownValue,
        whatItDoes: """
            Refuses values that are none of those that a key takes.

            It also refuses lists whose file name ends in that of another format, such as `.json`, \
            `.xlsx` or `.gz`. Values of request headers are found under `invalid-header`.
            """,
        whyIsThisBad: """
            FCM answers such a value with INVALID_ARGUMENT, and Herald's own keys would have no \
            meaning. A spreadsheet read as a text would be sent to line by line.
            """,
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, priority: urgent }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots. }
            delivery: { ttl: 4h, priority: high }
            """,
        source: """
            Firebase reference, REST resource projects.messages; Herald, Documentation/Reference/Language.md
            """
    )
}
