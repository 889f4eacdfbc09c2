import CampaignMessages
import CampaignModel
import JSON
import Time

/// What a campaign is to FCM on its way to an Android device.
struct AndroidMessage: Sendable {
    /// What becomes of it while the device is away (Firebase documentation, About FCM messages,
    /// Non-collapsible and collapsible messages).
    enum Storage: Hashable, Sendable {
        /// Every message is kept.
        case single
        /// Only the newest is kept; all notifications share one key, the app's package name.
        case notification
        /// Only the newest of a key is kept.
        case key(String)
        /// A message to a topic without any content is collapsible; the documents name no key.
        case ping
    }

    let storage: Storage
    /// With which a notification replaces another one in the tray.
    let tag: String?
    /// In seconds; a message of 0 is never stored.
    let life: Int64
    /// The only app that gets it.
    let package: String?

    var isCollapsible: Bool { storage != .single }
    var isNotification: Bool { storage == .notification }
    var isStored: Bool { life > 0 }
}

extension AndroidMessage {
    /// Of several wordings the first that Android gets something of: a device gets only one.
    ///
    /// `kinds`: those of the campaign's contents, in their order.
    init?(_ campaign: Campaign, _ kinds: [MessageKinds], at now: Instant) {
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
