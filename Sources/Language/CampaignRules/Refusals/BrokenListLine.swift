import Diagnostics
import Text

extension RulePage {
    static let brokenListLine = RulePage(
        .brokenListLine,
        whatItDoes: """
            Finds lines of a list that are no registration.

            A text holds one registration a line: 1 to 4,096 printable ASCII characters without \
            blanks, quotation marks, commas, semicolons and backslashes. Empty lines and lines \
            that begin with `#` are passed over. A line that is not UTF-8, or longer than 16,384 \
            bytes, is found too. The first ten are named, the others counted.
            """,
        whyIsThisBad: """
            The person who is meant gets nothing. A head line, or a table that was saved under the \
            wrong name, would be sent to as well.
            """,
        example: """
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            === campaigns/registrations/guests.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002,Bo
            """,
        useInstead: """
            campaign: dinner
            audience: { registrations: campaigns/registrations/guests.txt }
            message: { notification: { title: Dinner at the club, body: Please answer. } }
            delivery: { ttl: 36h }
            === campaigns/registrations/guests.txt
            ana-pixel:APA91b-tidewatch-0001
            # Bo
            bo-iphone:APA91b-tidewatch-0002
            """,
        source: "Herald, Documentation/Reference/Language.md, An audience"
    )
}
