import CampaignMessages
import CampaignModel
import JSON
import Time

/// What a campaign is to FCM on its way to an Apple device.
struct AppleMessage: Sendable {
    enum Key: Hashable, Sendable {
        /// The author's.
        case written(String)
        /// Herald's, another for each occurrence: something is shown, and the author wrote none.
        case own
    }

    /// Its `apns-collapse-id`; nil for data without one.
    let key: Key?
    /// In seconds; a message of 0 is never stored.
    let life: Int64
}

extension AppleMessage {
    /// Of several wordings the first that Apple platforms get something of.
    ///
    /// `kinds`: those of the campaign's contents, in their order.
    init?(_ campaign: Campaign, _ kinds: [MessageKinds], at now: Instant) {
        guard let form = kinds.firstIndex(where: { $0[.apple] != .nothing }) else { return nil }
        let content = form == 0 ? campaign.content : campaign.contents[form]
        let written =
            content.value(at: Platform.apple.replacementPath)?.stringValue
            ?? campaign.delivery.collapse?.text
        key = written.map(Key.written) ?? (kinds[form][.apple].showsSomething ? .own : nil)
        life =
            campaign.life(on: .apple, saying: content, at: now)?.seconds
            ?? TimeToLive.maximumSeconds
    }
}
