import CampaignMessages
import CampaignModel
import JSON
import Time

/// A campaign's message as FCM handles it for an Android device.
struct AndroidMessage: Sendable {
    /// How it is stored while the device is offline (Firebase documentation, About FCM messages,
    /// Non-collapsible and collapsible messages).
    enum Storage: Hashable, Sendable {
        /// Every message is stored.
        case single
        /// Only the newest is stored; all notifications share one key, the app's package name.
        case notification
        /// Only the newest message per key is stored.
        case key(String)
        /// A message to a topic without content is collapsible; FCM documents no key for it.
        case ping
    }

    let storage: Storage
    /// The tag with which a notification replaces another shown one.
    let tag: String?
    /// In seconds; a message of 0 is never stored.
    let life: Int64
    /// The only app that receives it, if any.
    let package: String?

    var isCollapsible: Bool { storage != .single }
    var isNotification: Bool { storage == .notification }
    var isStored: Bool { life > 0 }
}

extension AndroidMessage {
    /// Uses the first content version with content for Android; a device receives only one version.
    ///
    /// `kinds`: The kinds of the campaign's contents, in their order.
    init?(of campaign: Campaign, kinds: [MessageKinds], at now: Instant) {
        guard let form = kinds.firstIndex(where: { $0[.android] != .nothing }) else { return nil }
        let kind = kinds[form][.android]
        let content = form == 0 ? campaign.content : campaign.contents[form]
        let block = content.fields["android"]?.objectValue
        let common = campaign.delivery.collapse?.text
        let key = block?["collapse_key"]?.stringValue ?? common
        tag = block?["notification"]?["tag"]?.stringValue ?? common
        package = block?["restricted_package_name"]?.stringValue
        storage =
            if kind.showsSomething {
                .notification
            } else if let key {
                .key(key)
            } else if kind == .ping, campaign.target.reachesSubscribers {
                .ping
            } else {
                .single
            }
        life =
            campaign.life(on: .android, saying: content, at: now)?.seconds
            ?? TimeToLive.maximumSeconds
    }
}
