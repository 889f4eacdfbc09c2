import Diagnostics
import Text

extension RulePage {
    static let unknownAudience = RulePage(
        .unknownAudience,
        whatItDoes: """
            Refuses campaigns that name an audience of which there is no document.

            Nothing is said while a file that may declare it cannot be read. A topic is not an \
            audience of this kind: it is written `audience: { topic: NAME }`.
            """,
        whyIsThisBad: "Without its audience nobody knows whom the campaign is for.",
        example: """
            campaign: beta-catch-log
            audience: beta-angler
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            audience: beta-anglers
            registrations: campaigns/registrations/beta.txt
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            campaign: beta-catch-log
            audience: beta-anglers
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            audience: beta-anglers
            registrations: campaigns/registrations/beta.txt
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: "Herald, Documentation/Reference/Language.md, An audience"
    )
}
