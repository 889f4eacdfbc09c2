import Diagnostics
import Text

extension RulePage {
    static let movedFrom = RulePage(
        .movedFrom,
        whatItDoes: """
            Refuses a `moved_from` that names a campaign which is still there.

            It is the name that this very campaign had before. Two campaigns that claim the same \
            former name are found too.
            """,
        whyIsThisBad: """
            The history of a name belongs to one campaign: with two of them Herald cannot say \
            which was sent already, and would send again or not at all.
            """,
        example: """
            campaign: high-water
            moved_from: tide-alert
            audience: { topic: tides }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: tide-alert
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: high-water
            moved_from: tide-alert
            audience: { topic: tides }
            message: { notification: { title: High water, body: Best angling before it. } }
            delivery: { ttl: 4h }
            ---
            campaign: low-water
            audience: { topic: madeira }
            message: { notification: { title: Low water, body: Mind the rocks. } }
            delivery: { ttl: 4h }
            """,
        source: "Herald, Documentation/Reference/Language.md, A campaign"
    )
}
