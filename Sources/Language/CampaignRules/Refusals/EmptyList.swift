import Diagnostics
import Text

extension RulePage {
    static let emptyList = RulePage(
        .emptyList,
        whatItDoes: """
            Finds lists without a registration.

            A file of which every line is empty or a comment is such a list, and so are brackets \
            with nothing in them.
            """,
        whyIsThisBad: """
            A campaign to nobody is most often an export that failed. An audience that is kept \
            subscribed would unsubscribe everybody, which `subscribe: []` says on purpose.
            """,
        example: """
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            === campaigns/registrations/guests.txt
            # members of the harbour club
            """,
        useInstead: """
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            === campaigns/registrations/guests.txt
            # members of the harbour club
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: "Herald, Documentation/Reference/Language.md, An audience"
    )
}
