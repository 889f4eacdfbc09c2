import CampaignMessages
import Diagnostics

extension Rule {
    static let payloadTooLarge = Rule(.payloadTooLarge, over: PayloadSize.maximum) { _, bytes in
        bytes > PayloadSize.maximum
    }
}
