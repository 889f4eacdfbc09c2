import CampaignLoading
import CampaignModel
import Diagnostics

extension ConditionRule {
    /// What it does: finds `/topics/` before a topic's name in a condition.
    ///
    /// Why is this bad: FCM's v1 API takes bare names. Herald drops the prefix.
    ///
    /// Example: `'/topics/tides' in topics`
    ///
    /// Use instead: `'tides' in topics`
    static let topicPrefix = ConditionRule(id: .topicPrefix) { declared in
        declared.condition.prefixes.map { range in
            .topicPrefix(at: declared.span(of: range), fix: declared.fix(range, with: "", .safe))
        }
    }
}
