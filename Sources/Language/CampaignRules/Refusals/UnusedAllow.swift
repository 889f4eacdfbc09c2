import Diagnostics
import Text

extension RulePage {
    static let unusedAllow = RulePage(
        .unusedAllow,
        whatItDoes: """
            Finds comments `# herald: allow RULE, reason` that silence nothing.

            On a line of its own such a comment is for the entry below, over a document's first \
            key for the whole document; behind something it is for the entry that begins on that \
            line. Nothing is said while the file or `herald.yaml` has errors.
            """,
        whyIsThisBad: """
            What it was for has been mended or moved. Left there it would silence the next mistake \
            of the kind, which nobody has judged.
            """,
        example: """
            campaign: tide-widget
            audience: { topic: azores }
            # herald: allow platform-left-out, the widget is for Apple devices only
            message:
              notification: { title: The tide widget, body: Add it to your screen. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-widget
            audience: { topic: azores }
            message:
              notification: { title: The tide widget, body: Add it to your screen. }
            delivery: { ttl: 4h }
            """,
        source: "Herald, Documentation/Reference/Language.md, Findings"
    )
}
