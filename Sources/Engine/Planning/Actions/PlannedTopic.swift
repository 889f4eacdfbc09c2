package import CampaignModel
import RegistrationLists
import State

/// Known facts about a topic's subscribers before anything is sent.
package struct PlannedTopic: Hashable, Sendable {
    package struct Kept: Hashable, Sendable {
        package let audience: AudienceID
        /// Number of registrations in its list.
        package let count: Int

        package init(audience: AudienceID, count: Int) {
            self.audience = audience
            self.count = count
        }
    }

    /// The reach that the project declares.
    package let reach: Int?
    /// The audiences that are kept subscribed, in the order of the project.
    package let kept: [Kept]
    /// Number of distinct registrations in all their lists, which the topic has at least; nil if
    /// there is no list.
    package let keptCount: Int?

    package init(reach: Int?, kept: [Kept] = [], keptCount: Int? = nil) {
        self.reach = reach
        self.kept = kept
        self.keptCount = keptCount ?? kept.map(\.count).max()
    }

    /// The declared reach, or the number of managed members if that is larger.
    ///
    /// Nil without a declared reach: apps subscribe by themselves, so the total is unknown.
    package var size: Int? {
        reach.map { max($0, keptCount ?? 0) }
    }
}

extension Project {
    /// Returns known facts about topics, including lists that are kept subscribed.
    func plannedTopics(_ surveys: ListSurveys) -> [Topic: PlannedTopic] {
        var lists: [Topic: [(audience: AudienceID, survey: ListSurvey)]] = [:]
        for audience in audiences {
            guard case .success(let survey)? = surveys[audience.list] else { continue }
            for topic in audience.subscribe ?? [] {
                lists[topic, default: []].append((audience.id, survey))
            }
        }
        let declared = topics.mapValues { PlannedTopic(reach: $0.reach) }
        let managed = lists.map { topic, lists in
            let kept = lists.map {
                PlannedTopic.Kept(audience: $0.audience, count: $0.survey.count)
            }
            return (
                topic,
                PlannedTopic(
                    reach: topics[topic]?.reach,
                    kept: kept,
                    keptCount: lists.map(\.survey).memberCount
                )
            )
        }
        return declared.merging(managed) { $1 }
    }
}

extension [ListSurvey] {
    /// Number of distinct registrations in all lists.
    fileprivate var memberCount: Int {
        guard count > 1 else { return first?.count ?? 0 }
        return reduce(into: Set<Fingerprint>()) { $0.formUnion($1.fingerprints.inOrder()) }.count
    }
}
