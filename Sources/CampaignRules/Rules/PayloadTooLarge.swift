import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    /// What it does: adds up the notification and data that each platform gets.
    ///
    /// Why is this bad: FCM refuses a message of more than 4,096 bytes, 2,048 to topics and
    /// conditions, and its own count is reached earlier than one's own. Herald stops at 4,000
    /// and 2,048.
    ///
    /// Source: Firebase documentation, About FCM messages; Firebase reference, ErrorCode.
    static let payloadTooLarge = Rule(id: .payloadTooLarge) { context, log in
        for campaign in context.project.campaigns {
            let limit = campaign.target.payloadLimit
            let sizes = Platform.allCases.map { PayloadSize(of: campaign.content, on: $0) }
            guard let size = sizes.max(by: { $0.bytes < $1.bytes }), size.bytes > limit else {
                continue
            }
            let place = context.declaration(of: campaign)?.message?.value
                .span(at: size.heaviestField)
            log.report(.payloadTooLarge(campaign, size, limit, at: place))
        }
    }
}

extension AudienceTarget {
    fileprivate var payloadLimit: Int {
        switch self {
        case .topic, .condition: PayloadSize.maximumToTopic
        case .registrations, .group: PayloadSize.maximum
        }
    }
}

extension Diagnostic {
    fileprivate static func payloadTooLarge(
        _ campaign: Campaign,
        _ size: PayloadSize,
        _ limit: Int,
        at place: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .payloadTooLarge,
            message: "the message of `\(campaign.id)` is \(size.bytes - limit) bytes too large for "
                + "\(size.platform): \(size.bytes) of \(limit)",
            span: place,
            label: "`\(size.heaviestField.joined(separator: "."))` weighs most",
            help: ["shorten it, or send an id and let the app fetch the rest"]
        )
    }
}
