import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension RulePage {
    static let topicBetterAsList = RulePage(
        .topicBetterAsList,
        whatItDoes: """
            Finds sends to a topic or condition that reaches no more than 100, as far as is known.

            Known is the `reach` that the project declares, or else the lists that are kept \
            subscribed to the topic. A condition reaches at most the smallest of topics that are \
            joined by `&&` and the sum of those joined by `||`. The 100 are Herald's own number. \
            Topics with `test: true` are left out.
            """,
        whyIsThisBad: """
            Topics are made for throughput, not latency: a fan-out takes its turn behind others, \
            and who was reached is never known. Messages to single registrations are faster, and \
            each has its answer.
            """,
        example: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { beta: { about: Anglers who test, reach: 3 } }
            === campaigns/beta.yaml
            campaign: beta-catch-log
            audience: { topic: beta }
            message: { notification: { title: Try the catch log } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            === campaigns/beta.yaml
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log } }
            delivery: { ttl: 4h }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            bo-iphone:APA91b-tidewatch-0002
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

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
