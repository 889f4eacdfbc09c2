import CampaignMessages
import Diagnostics

extension RulePage {
    static let payloadTooLarge = RulePage(
        .payloadTooLarge,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: adds up the notification and data that each platform gets, and finds more
    /// than 4,096 bytes.
    ///
    /// Why is this bad: FCM refuses such a message, so nothing can allow it. The 1,024 characters
    /// of the Firebase console are no limit here: Herald does not go through the console.
    ///
    /// Source: Firebase reference, ErrorCode, INVALID_ARGUMENT.
    static let payloadTooLarge = Rule(.payloadTooLarge, over: PayloadSize.maximum) { _, bytes in
        bytes > PayloadSize.maximum
    }
}
