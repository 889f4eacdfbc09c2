import CampaignModel
import RegistrationLists

/// How many registrations are in which topics, according to the lists of the audiences that Herald
/// keeps subscribed.
///
/// It is made once per plan: one entry per set of topics that registrations have in common.
struct TopicOverlaps: Sendable {
    /// The topics of the lists.
    let topics: Set<Topic>
    private let counts: [Set<Topic>: Int]

    static let none = TopicOverlaps(of: [])

    /// Counts the registrations of lists that subscribe to topics.
    ///
    /// While it counts, it holds 32 bytes per registration and topic.
    init(of lists: [(topics: Set<Topic>, fingerprints: [Fingerprint])]) {
        let topics = lists.reduce(into: Set<Topic>()) { $0.formUnion($1.topics) }.sorted()
        let numbers = Dictionary(
            uniqueKeysWithValues: topics.enumerated().map { ($1, UInt32($0)) }
        )
        var entries: [(fingerprint: Fingerprint, topic: UInt32)] = []
        for list in lists {
            for topic in list.topics {
                guard let number = numbers[topic] else { continue }
                for fingerprint in list.fingerprints { entries.append((fingerprint, number)) }
            }
        }
        entries.sort { ($0.fingerprint, $0.topic) < ($1.fingerprint, $1.topic) }
        var counts: [[UInt32]: Int] = [:]
        var own: [UInt32] = []
        for index in entries.indices {
            let entry = entries[index]
            if own.last != entry.topic { own.append(entry.topic) }
            let isLast =
                index + 1 == entries.count || entries[index + 1].fingerprint != entry.fingerprint
            guard isLast else { continue }
            counts[own, default: 0] += 1
            own = []
        }
        self.topics = Set(topics)
        self.counts = Dictionary(
            uniqueKeysWithValues: counts.map { (Set($0.map { topics[Int($0)] }), $1) }
        )
    }

    /// Returns the number of registrations that are in at least two of these topics.
    func count(inTwoOf topics: Set<Topic>) -> Int {
        counts.reduce(0) { $1.key.intersection(topics).count > 1 ? $0 + $1.value : $0 }
    }
}

extension Planner {
    /// Counts the registrations in topics that a condition addresses, each topic alone.
    func topicOverlaps() -> TopicOverlaps {
        let topics = project.campaigns.reduce(into: Set<Topic>()) {
            $0.formUnion(Self.topicsAlone(of: $1))
        }
        guard topics.count > 1 else { return .none }
        return TopicOverlaps(
            of: project.audiences.compactMap { audience in
                let own = topics.intersection(audience.subscribe ?? [])
                guard !own.isEmpty, let survey = try? survey(of: audience.list) else { return nil }
                return (own, survey.fingerprints.inOrder())
            }
        )
    }

    /// The topics of a campaign's condition whose subscribers it addresses without other topics, in
    /// the order of the condition.
    static func topicsAlone(of campaign: Campaign) -> [Topic] {
        guard case .condition(let condition) = campaign.target else { return [] }
        return condition.topics.filter { condition.isTrue(for: [$0]) }
    }
}
