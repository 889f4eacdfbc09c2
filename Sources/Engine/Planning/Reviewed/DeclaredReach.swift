import CampaignModel

/// The reach that a project declares for the topics of one campaign.
struct DeclaredReach: Hashable, Sendable {
    /// Topics without a declared reach are omitted.
    private let topics: [Topic: Int]

    init(_ topics: [Topic: Int]) {
        self.topics = topics
    }

    /// The reach by topic name; nil if there is none.
    var members: [(name: String, value: Int)]? {
        guard !topics.isEmpty else { return nil }
        return topics.sorted { $0.key < $1.key }.map { (name: $0.key.name, value: $0.value) }
    }
}

extension Planner {
    /// Returns the declared reach of the topics that a campaign addresses.
    ///
    /// Guards and the waits between fan-outs depend on it.
    func declaredReach(of campaign: Campaign) -> DeclaredReach {
        var reach: [Topic: Int] = [:]
        for topic in campaign.target.topics { reach[topic] = project.topics[topic]?.reach }
        return DeclaredReach(reach)
    }
}
