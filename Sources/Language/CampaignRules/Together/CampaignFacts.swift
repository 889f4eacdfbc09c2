import CampaignLoading
import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists

/// What a campaign is to the rules that look at several together.
///
/// It is worked out while the campaign is looked at by itself: ten thousand campaigns don't fit
/// into a core's memory, and to go through them again takes longer than the work itself. A class,
/// because these are handed on several times.
final class CampaignFacts: Sendable {
    let campaign: Campaign
    let schedule: Schedule
    /// Nil where Android gets nothing of it.
    let android: AndroidMessage?
    /// Nil where Apple platforms get nothing of it.
    let apple: AppleMessage?
    /// On some platform.
    let showsSomething: Bool
    /// The analytics labels of all wordings and platforms.
    let labels: Set<String>
    /// What the project declares of its topic or condition.
    let declaredReach: Int?
    /// Its topic, or those that bring somebody into its condition.
    let topics: [Topic]
    /// Where it goes to one that could be read.
    let list: RegistrationList?

    init(_ campaign: Campaign, _ context: RuleContext) {
        self.campaign = campaign
        schedule = campaign.schedule
        let kinds = campaign.contents.map(MessageKinds.init)
        android = AndroidMessage(campaign, kinds, at: context.now)
        apple = AppleMessage(campaign, kinds, at: context.now)
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
    /// Of all platforms.
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
