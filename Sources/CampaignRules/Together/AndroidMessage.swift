import CampaignMessages
import CampaignModel
import FCMWire
import Scheduling

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
    init?(_ campaign: Campaign, at now: Instant) {
        let wordings =
            [campaign.content] + campaign.variants.map(\.content)
            + campaign.localizations.map(\.content)
        guard let content = wordings.first(where: { $0.kind(on: .android) != .nothing }) else {
            return nil
        }
        let kind = content.kind(on: .android)
        let common = campaign.delivery.collapse?.text
        let key = content.text(at: ["android", "collapse_key"]) ?? common
        tag = content.text(at: ["android", "notification", "tag"]) ?? common
        package = content.text(at: ["android", "restricted_package_name"])
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
            campaign.saying(content).life(on: .android, at: now)?.seconds
            ?? TimeToLive.maximumSeconds
    }
}

extension MessageContent {
    fileprivate func text(at path: [String]) -> String? { value(at: path)?.stringValue }
}
