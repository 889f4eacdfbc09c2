import CampaignMessages
import Diagnostics
import Text

extension RulePage {
    static let payloadOver4000 = RulePage(
        .payloadOver4000,
        whatItDoes: "Finds messages of 4,001 to 4,096 bytes on some platform.",
        whyIsThisBad: """
            4,000 bytes is what FCM's guide states, 4,096 what its error reference states, and \
            FCM's own count may be the higher one. The 1,024 characters of the Firebase console \
            are no limit here: Herald does not go through the console.
            """,
        example: """
            campaign: pilot-notes
            audience: { registrations: lists/pilots.txt }
            message:
              notification:
                title: Notes for pilots
                body: ⟨Slack water, then ebb. ×175⟩
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
        source: "Firebase documentation, About FCM messages"
    )
}

extension Rule {
    static let payloadOver4000 = Rule(
        .payloadOver4000,
        over: PayloadSize.documentedMaximum
    ) { _, bytes in
        bytes > PayloadSize.documentedMaximum && bytes <= PayloadSize.maximum
    }
}
