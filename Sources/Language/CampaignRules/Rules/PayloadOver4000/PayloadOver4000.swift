import CampaignMessages
import Diagnostics

extension Rule {
    static let payloadOver4000 = Rule(
        .payloadOver4000,
        over: PayloadSize.documentedMaximum
    ) { _, bytes in
        bytes > PayloadSize.documentedMaximum && bytes <= PayloadSize.maximum
    }
}
