import CampaignMessages
import CampaignModel
import JSON
import Time

/// A campaign's message as FCM handles it for an Apple device.
struct AppleMessage: Sendable {
    enum Key: Hashable, Sendable {
        /// The author's key.
        case written(String)
        /// Herald's key per occurrence, for notifications without a key from the author.
        case own
    }

    /// Its `apns-collapse-id`; nil for data without one.
    let key: Key?
    /// In seconds; a message of 0 is never stored.
    let life: Int64
}

extension AppleMessage {
    /// Uses the first content version with content for Apple platforms.
    ///
    /// `kinds`: The kinds of the campaign's contents, in their order.
    init?(of campaign: Campaign, kinds: [MessageKinds], at now: Instant) {
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
