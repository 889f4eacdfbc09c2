import CampaignLoading
import CampaignModel
import Diagnostics
import Text

extension RulePage {
    static let topicPrefix = RulePage(
        .topicPrefix,
        whatItDoes: "Finds `/topics/` before the name of a topic.",
        whyIsThisBad: """
            It belongs to FCM's legacy protocols: the v1 API takes bare names. Herald drops the \
            prefix.
            """,
        example: """
            campaign: azores-tides
            audience:
              condition: "'/topics/tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        useInstead: """
            campaign: azores-tides
            audience:
              condition: "'tides' in topics && 'azores' in topics"
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
            """,
        source: """
            Firebase documentation, Topic messaging; Firebase reference, REST resource \
            projects.messages
            """
    )
}

extension ConditionRule {
    static let topicPrefix = ConditionRule(.topicPrefix) { declared in
        declared.condition.prefixes.map { range in
            .topicPrefix(at: declared.span(of: range), fix: declared.fix(range, with: "", .safe))
        }
    }
}
