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

/// Herald's own number: this many single sends finish before a fan-out begins.
private let few = 100

extension Diagnostic {
    fileprivate static func betterAsList(
        _ count: Int,
        at audience: Spanned<AudienceReference>?
    ) -> Diagnostic {
        Diagnostic(
            rule: .topicBetterAsList,
            message: "a topic is slower than a list for so few registrations",
            span: audience?.value.place ?? audience?.span,
            label: "reaches \(count) known " + (count == 1 ? "registration" : "registrations"),
            help: [
                "send it to `registrations`: single sends are faster, and FCM answers each one",
                "if more registrations are subscribed, declare the topic's `reach`",
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
