import Diagnostics
import Text

extension RulePage {
    static let duplicateRegistration = RulePage(
        .duplicateRegistration,
        whatItDoes: """
            Finds a registration that stands twice in one list.

            It shows the line, or in a list in brackets the place, and never the registration, \
            which is a secret. The whole file is compared, whatever its size.
            """,
        whyIsThisBad: """
            The person behind it would get the same message twice: FCM does not recognise a second \
            request as a repetition.
            """,
        example: """
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            === campaigns/registrations/guests.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            === campaigns/registrations/guests.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            """,
        source: "Herald, Documentation/Reference/Language.md, An audience"
    )
}
