import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    static let topicBetterAsList = Rule.ofCampaigns(.topicBetterAsList) { subject, log in
        let target = subject.campaign.target
        guard let count = subject.context.knownReach.upperBound(of: target), count <= few,
            !subject.context.project.isTest(target)
        else { return }
        log.report(.betterAsList(count, at: subject.declaration?.audience))
    }
}

/// Herald's own number: so many single sends are over before a fan-out begins.
private let few = 100

extension Diagnostic {
    fileprivate static func betterAsList(
        _ count: Int,
        at audience: Spanned<AudienceReference>?
    ) -> Diagnostic {
        Diagnostic(
            rule: .topicBetterAsList,
            message: "a list would serve so few better than a topic",
            span: audience?.value.place ?? audience?.span,
            label: count == 1 ? "1 is known to be reached" : "\(count) are known to be reached",
            help: [
                "send it to `registrations`: single sends are faster and each has its answer",
                "where more are subscribed, declare the topic's `reach`",
            ]
        )
    }
}

extension AudienceReference {
    fileprivate var place: SourceSpan? {
        switch self {
        case .topic(let topic): topic.span
        case .condition(let condition): condition.span
        case .registrations, .group, .named: nil
        }
    }
}
