import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let topicPrefix = Rule.ofConditions(.topicPrefix) { declared in
        declared.condition.prefixes.map { range in
            .topicPrefix(
                at: declared.span(of: range),
                fix: declared.fix(range, with: "", applicability: .safe)
            )
        }
    }
}
