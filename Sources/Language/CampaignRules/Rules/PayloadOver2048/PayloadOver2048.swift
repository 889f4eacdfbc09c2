import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let payloadOver2048 = Rule(
        .payloadOver2048,
        over: PayloadSize.maximumToTopic
    ) { target, bytes in
        target.reachesSubscribers
            && bytes > PayloadSize.maximumToTopic && bytes <= PayloadSize.maximum
    }
}
