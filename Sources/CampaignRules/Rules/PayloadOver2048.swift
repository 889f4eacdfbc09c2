import CampaignMessages
import CampaignModel
import Diagnostics

extension RulePage {
    static let payloadOver2048 = RulePage(
        .payloadOver2048,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: finds messages to topics and conditions of 2,049 to 4,096 bytes on some
    /// platform; more is too large for everybody.
    ///
    /// Why is this bad: FCM's error reference allows half of what it allows to a registration,
    /// and answers more with INVALID_ARGUMENT.
    ///
    /// Source: Firebase reference, ErrorCode, INVALID_ARGUMENT.
    static let payloadOver2048 = Rule(
        .payloadOver2048,
        over: PayloadSize.maximumToTopic
    ) { target, bytes in
        target.reachesSubscribers
            && bytes > PayloadSize.maximumToTopic && bytes <= PayloadSize.maximum
    }
}
