import Diagnostics
import Text

extension RulePage {
    static let percentage = RulePage(
        .percentage,
        whatItDoes: """
            Refuses shares that are not written as `30%`.

            A share goes from `0%` to `100%` with at most two decimals: `0.25%`. Stages of a \
            rollout and the limits of `stop_when` also take a whole number of registrations, at \
            least 1.
            """,
        whyIsThisBad: """
            Without its sign a number may mean a share or a count: `10` is a tenth of the list or \
            ten people.
            """,
        example: """
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 0.1
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            holdout: 10%
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: "Herald, Documentation/Reference/Language.md, A campaign"
    )
}
