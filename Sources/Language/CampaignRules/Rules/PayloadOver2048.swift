import CampaignMessages
import CampaignModel
import Diagnostics
import Text

extension RulePage {
    static let payloadOver2048 = RulePage(
        .payloadOver2048,
        whatItDoes: """
            Finds messages to topics and conditions of 2,049 to 4,096 bytes on some platform.

            More is too large for everybody.
            """,
        whyIsThisBad: """
            FCM's error reference allows to topics half of what it allows to a registration, and \
            answers more with INVALID_ARGUMENT.
            """,
        example: """
            campaign: tide-notes
            audience: { topic: tides }
            message:
              notification:
                title: Notes on the tides
                body: ⟨Slack water, then ebb. ×100⟩
            """,
        useInstead: """
            campaign: tide-notes
            audience: { topic: tides }
            message:
              notification: { title: Notes on the tides, body: Slack water comes early }
              data: { notes: spring }
            """,
        source: "Firebase reference, ErrorCode, INVALID_ARGUMENT"
    )
}

extension Rule {
    static let payloadOver2048 = Rule(
        .payloadOver2048,
        over: PayloadSize.maximumToTopic
    ) { target, bytes in
        target.reachesSubscribers
            && bytes > PayloadSize.maximumToTopic && bytes <= PayloadSize.maximum
    }
}
