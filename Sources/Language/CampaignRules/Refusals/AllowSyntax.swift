import Diagnostics
import Text

extension RulePage {
    static let allowSyntax = RulePage(
        .allowSyntax,
        whatItDoes: """
            Refuses comments to Herald that are not `# herald: allow RULE, reason`.

            Every comment that begins with `herald:` is meant, one rule in each. The reason behind \
            the comma is required.
            """,
        whyIsThisBad: """
            The comment silences nothing and looks as if it did. The reason is what tells the next \
            reader whether it still holds.
            """,
        example: """
            campaign: tide-widget
            audience: { topic: azores }
            # herald: allow platform-left-out
            message:
              apns: { payload: { aps: { alert: Add the tides to your lock screen. } } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-widget
            audience: { topic: azores }
            # herald: allow platform-left-out, the widget is for Apple devices only
            message:
              apns: { payload: { aps: { alert: Add the tides to your lock screen. } } }
            delivery: { ttl: 4h }
            """,
        source: "Herald, Documentation/Reference/Language.md, Findings"
    )
}
