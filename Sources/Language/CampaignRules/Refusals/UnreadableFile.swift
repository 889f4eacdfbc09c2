import Diagnostics
import Text

extension RulePage {
    static let unreadableFile = RulePage(
        .unreadableFile,
        whatItDoes: """
            Finds files of the project that cannot be read.

            These are `herald.yaml`, the `.yaml` and `.yml` files below `campaigns/`, and the \
            lists that audiences and campaigns name. A path of a list is relative to the folder of \
            `herald.yaml`. A project does not reach outside of itself: a link to a folder below \
            `campaigns/` is refused, and so is a YAML file that is a link to one outside of the \
            project's folder; lists may be links. Pipes, devices, names that are not UTF-8 and \
            YAML files of more than 4 MiB are refused unread. A list that changes \
            while it is read counts as unreadable. A folder `Campaigns` or `campaign` where there \
            is no `campaigns` is a warning: nothing is read from it.
            """,
        whyIsThisBad: """
            Of a file that is not read nobody knows what it says: a campaign in it would count as \
            taken away, and a list as empty.
            """,
        example: """
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/betas.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            delivery: { ttl: 4h }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: "Herald, Documentation/Reference/Language.md, introduction and An audience"
    )
}
