import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    static let tooManyTopics = Rule(.tooManyTopics) { context, log in
        let lists = context.listsOfAudiences
        let audiences = context.declarations.audiences.compactMap {
            SubscribingAudience($0.value, lists: lists, surveys: context.surveys)
        }
        let topics = Set(audiences.flatMap { $0.topics.map(\.value) })
        guard topics.count > maximumTopics else { return }
        for crowd in overfullCrowds(audiences) {
            let together = crowd.audiences.map { audiences[$0] }
            guard let place = together.place(ofTopic: maximumTopics + 1) else { continue }
            log.report(.tooManyTopics(crowd, audiences: together, at: place))
        }
    }
}

private let maximumTopics = 2_000
/// Further reports add no information.
private let maximumReports = 10

/// A subscribed audience with its registrations.
private struct SubscribingAudience {
    let id: AudienceID
    let topics: [Spanned<Topic>]
    let fingerprints: ListFingerprints

    init?(
        _ declaration: AudienceDeclaration,
        lists: [AudienceID: RegistrationList],
        surveys: ListSurveys
    ) {
        guard let id = declaration.audience?.value, let list = lists[id],
            let topics = declaration.subscribe?.value, !topics.isEmpty,
            case .success(let survey)? = surveys[list]
        else { return nil }
        self.id = id
        self.topics = topics
        fingerprints = survey.fingerprints
    }
}

extension [SubscribingAudience] {
    /// Returns the span of the nth different topic; nil if the audiences name fewer.
    fileprivate func place(ofTopic number: Int) -> SourceSpan? {
        guard reduce(0, { $0 + $1.topics.count }) >= number else { return nil }
        var seen: Set<Topic> = []
        for topic in lazy.flatMap(\.topics) where seen.insert(topic.value).inserted {
            if seen.count == number { return topic.span }
        }
        return nil
    }
}

/// Returns the groups with too many topics, those in the fewest audiences first.
///
/// A group is omitted if fewer of its audiences already have too many topics.
private func overfullCrowds(_ audiences: [SubscribingAudience]) -> [AudienceIntersection] {
    let alone = audiences.enumerated().compactMap { place, audience in
        audience.fingerprints.first().map {
            AudienceIntersection(audiences: [place], first: $0, count: audience.fingerprints.count)
        }
    }
    let together = AudienceIntersectionTable(audiences.map { $0.fingerprints.inOrder() })
        .crowds(inAtLeast: 2)
        .sorted { $0.audiences.count < $1.audiences.count }
    var found: [AudienceIntersection] = []
    for crowd in alone + together where found.count < maximumReports {
        let members = Set(crowd.audiences)
        guard !found.contains(where: { members.isSuperset(of: $0.audiences) }),
            crowd.audiences.map({ audiences[$0] }).place(ofTopic: maximumTopics + 1) != nil
        else { continue }
        found.append(crowd)
    }
    return found
}

extension Diagnostic {
    fileprivate static func tooManyTopics(
        _ crowd: AudienceIntersection,
        audiences: [SubscribingAudience],
        at span: SourceSpan
    ) -> Diagnostic {
        let names = audiences.map { "`\($0.id)`" }.joined(separator: ", ")
        let others = crowd.count > 1 ? " and \(crowd.count - 1) more" : ""
        return Diagnostic(
            rule: .tooManyTopics,
            message: "registration \(crowd.first)\(others) would be subscribed to more than "
                + "\(maximumTopics) topics",
            span: span,
            label: "topic \(maximumTopics + 1) of \(names)",
            help: ["remove topics: FCM allows \(maximumTopics) per app instance"]
        )
    }
}
