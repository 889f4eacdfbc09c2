import CampaignMessages
import Diagnostics

extension RulePage {
    static let payloadOver4000 = RulePage(
        .payloadOver4000,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: finds messages of 4,001 to 4,096 bytes on some platform.
    ///
    /// Why is this bad: 4,000 bytes is what FCM's guide states, 4,096 what its error reference
    /// states, and FCM's own count may be the higher one. The 1,024 characters of the Firebase
    /// console are no limit here: Herald does not go through the console.
    ///
    /// Source: Firebase documentation, About FCM messages.
    static let payloadOver4000 = Rule(
        .payloadOver4000,
        over: PayloadSize.documentedMaximum
    ) { _, bytes in
        bytes > PayloadSize.documentedMaximum && bytes <= PayloadSize.maximum
    }
}
