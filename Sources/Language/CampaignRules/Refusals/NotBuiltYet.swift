import Diagnostics
import Text

extension RulePage {
    static let notBuiltYet = RulePage(
        .notBuiltYet,
        whatItDoes: """
            Finds what the language has and this version of Herald does not act on.

            A key whose value is checked all the same gives a note from `validate`, and an error \
            from `plan` and `apply`. What stands in an environment is refused only where that \
            environment is used. A key that is known by its name alone, and text in which a later \
            version would replace something, are errors everywhere. Documentation/Reference/Language.md \
            marks such keys with a circle.
            """,
        whyIsThisBad: """
            A key that is passed over in silence looks as if it worked. Herald refuses what it \
            cannot do rather than ignore it.
            """,
        example: """
            campaign: crew-call
            audience: { registrations: campaigns/registrations/crew-of-brisa.txt }
            message:
              notification: { title: The crew meets, body: All hands to the harbour. }
            delivery: { ttl: 4h }
            holdout: 10%
            === campaigns/registrations/crew-of-brisa.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            """,
        useInstead: """
            campaign: crew-call
            audience: { registrations: campaigns/registrations/crew-of-brisa.txt }
            message:
              notification: { title: The crew meets, body: All hands to the harbour. }
            delivery: { ttl: 4h }
            === campaigns/registrations/crew-of-brisa.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            """,
        source: "Herald, Documentation/Reference/Language.md, introduction"
    )
}
