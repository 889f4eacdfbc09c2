import CampaignMessages
import Diagnostics
import Text

extension RulePage {
    static let payloadTooLarge = RulePage(
        .payloadTooLarge,
        whatItDoes: """
            Adds up the notification and data that each platform gets, and finds more than 4,096 \
            bytes.
            """,
        whyIsThisBad: """
            FCM refuses such a message, so nothing can allow it. Send what people need at a \
            glance, and an id by which the app fetches the rest. The 1,024 characters of the \
            Firebase console are no limit here: Herald does not go through the console.
            """,
        example: """
            campaign: pilot-notes
            audience: { registrations: lists/pilots.txt }
            message:
              notification:
                title: Notes for pilots
                body: ⟨Slack water, then ebb. ×200⟩
            === lists/pilots.txt
            pilot-phone:1
            """,
        useInstead: """
            campaign: pilot-notes
            audience: { registrations: lists/pilots.txt }
            message:
              notification: { title: Notes for pilots, body: Slack water comes early }
              data: { notes: spring }
            === lists/pilots.txt
            pilot-phone:1
            """,
        source: "Firebase reference, ErrorCode, INVALID_ARGUMENT"
    )
}

extension Rule {
    static let payloadTooLarge = Rule(.payloadTooLarge, over: PayloadSize.maximum) { _, bytes in
        bytes > PayloadSize.maximum
    }
}
