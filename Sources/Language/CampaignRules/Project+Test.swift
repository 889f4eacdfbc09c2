import CampaignModel

extension Project {
    /// Whether the topic of an audience, or every topic of a condition, is marked `test: true`.
    func isTest(_ target: AudienceTarget) -> Bool {
        switch target {
        case .topic(let topic): topics[topic]?.isTest ?? false
        case .condition(let condition): condition.topics.allSatisfy { topics[$0]?.isTest ?? false }
        case .registrations, .group: false
        }
    }
}
