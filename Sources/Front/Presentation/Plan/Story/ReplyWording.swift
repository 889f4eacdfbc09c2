import CampaignModel
import Planning

/// Describes an upstream rule that replies in a plan.
struct ReplyWording {
    private let rule: UpstreamRule

    init(_ rule: UpstreamRule) {
        self.rule = rule
    }

    /// Continues the name, such as `answers messages of devices with this text`.
    func headline(mood: PlanMood) -> String {
        mood.verb("answers", "answer") + " messages of devices with this text from now on"
    }

    /// What the plan's table says.
    var action: String { "answers messages" }

    /// Sentences about who gets the reply.
    var recipients: [String] {
        let app = rule.match.category.map { " from \(TextStyle.safe($0))" } ?? ""
        let pairs = rule.match.data.sorted { $0.key < $1.key }
            .map { "“\(TextStyle.safe("\($0.key): \($0.value)"))”" }
        let with = pairs.isEmpty ? "" : " with \(pairs.joined(by: "and"))"
        return ["Each registration that sends a message\(app)\(with)."]
    }
}

extension CampaignStep {
    /// The rule that replies; nil for other steps.
    var answering: UpstreamRule? {
        if case .answer(let rule) = self { rule } else { nil }
    }
}
