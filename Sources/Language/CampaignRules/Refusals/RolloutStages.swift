import Diagnostics
import Text

extension RulePage {
    static let rolloutStages = RulePage(
        .rolloutStages,
        whatItDoes: """
            Refuses stages of a rollout that do not grow.

            Each is larger than the one before. Numbers of registrations come first, then shares \
            of the list, because a number cannot be compared with a share before the list is read.
            """,
        whyIsThisBad: """
            A stage is all that have got the message by then: one that is not larger reaches \
            nobody new, and most often two were swapped.
            """,
        example: """
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            rollout: { stages: [100, 50%, 10%, 100%], pause: 30m }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            rollout: { stages: [100, 10%, 50%, 100%], pause: 30m }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: "Herald, Documentation/Reference/Language.md, A campaign"
    )
}
