import Diagnostics
import Text

extension RulePage {
    static let duplicateName = RulePage(
        .duplicateName,
        whatItDoes: """
            Finds names that are given twice in a project.

            No two campaigns have the same name, wherever in the project they stand, and so it is \
            with audiences, with devices and with groups of devices. A topic stands in the \
            registry once, with or without `/topics/`. No two devices have the same registration.
            """,
        whyIsThisBad: """
            The name stands for what was sent and to whom: under one name the second campaign \
            would count as a change of the first.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: azores }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: tide-alert
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert-azores
            audience: { topic: azores }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: tide-alert-madeira
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            """,
        source: "Herald, Documentation/Reference/Language.md, A campaign"
    )
}
