import CampaignLoading
import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists

/// The facts about a campaign that rules across campaigns need.
///
/// They are computed while the campaign itself is checked: ten thousand campaigns do not fit into a
/// core's cache, and a second pass takes longer than the work itself. It is a class, because the
/// facts are passed on several times.
final class CampaignFacts: Sendable {
    let campaign: Campaign
    let schedule: Schedule
    /// nil if Android receives nothing.
    let android: AndroidMessage?
    /// nil if Apple platforms receive nothing.
    let apple: AppleMessage?
    /// Whether it shows a notification on at least one platform.
    let showsSomething: Bool
    /// The analytics labels of all content versions and platforms.
    let labels: Set<String>
    /// The declared reach of its topic or condition.
    let declaredReach: Int?
    /// Its topic, or the topics that add devices to its condition's audience.
    let topics: [Topic]
    /// Its list, if the list could be read.
    let list: RegistrationList?

    init(of campaign: Campaign, in context: RuleContext) {
        self.campaign = campaign
        schedule = campaign.schedule
        let kinds = campaign.contents.map(MessageKinds.init)
        android = AndroidMessage(of: campaign, kinds: kinds, at: context.now)
        apple = AppleMessage(of: campaign, kinds: kinds, at: context.now)
        showsSomething = kinds.contains(where: \.showsSomething)
        labels = campaign.contents.reduce(into: []) { $0.formUnion($1.analyticsLabels) }
        declaredReach = context.declaredReach.upperBound(of: campaign.target)
        topics = campaign.target.topicsBringingIn
        list = context.list(of: campaign)
    }
}

extension AudienceTarget {
    fileprivate var topicsBringingIn: [Topic] {
        switch self {
        case .topic(let topic): [topic]
        case .condition(let condition): condition.truth.topicsBringingIn
        case .registrations, .group: []
        }
    }
}

extension MessageContent {
    /// The labels of all platforms.
    fileprivate var analyticsLabels: Set<String> {
        var labels: Set<String> = []
        for holder in [.object(fields), fields["android"], fields["apns"], fields["webpush"]] {
            let label = holder?["fcm_options"]?["analytics_label"]?.stringValue
            if let label { labels.insert(label) }
        }
        return labels
    }
}

extension RuleContext {
    fileprivate func list(of campaign: Campaign) -> RegistrationList? {
        guard case .registrations(let list) = campaign.target, case .success? = surveys[list]
        else { return nil }
        return list
    }
}
