import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    /// What it does: finds messages to topics and conditions of more than 2,048 bytes on some
    /// platform.
    ///
    /// Why is this bad: FCM's error reference allows half of what it allows to a registration,
    /// and answers more with INVALID_ARGUMENT.
    ///
    /// Source: Firebase reference, ErrorCode, INVALID_ARGUMENT.
    static let payloadOver2048 = Rule(
        .payloadOver2048,
        over: PayloadSize.maximumToTopic
    ) { target, bytes in
        switch target {
        case .topic, .condition: bytes > PayloadSize.maximumToTopic
        case .registrations, .group: false
        }
    }
}
