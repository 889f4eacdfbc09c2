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
        /// Only the newest of a key is kept; the key's number in `Together.keys`.
        case key(Int)
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

/// The numbers of collapse keys, by which sweeps compare them.
struct CollapseKeyNumbers {
    private(set) var keys: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of key: String) -> Int {
        if let number = numbers[key] { return number }
        numbers[key] = keys.count
        keys.append(key)
        return keys.count - 1
    }
}

extension AndroidMessage {
    /// Of several wordings the first that Android gets something of: a device gets only one.
    init?(_ campaign: Campaign, at now: Instant, _ numbers: inout CollapseKeyNumbers) {
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
                .key(numbers.number(of: key))
            } else if kind == .ping, campaign.target.reachesSubscribers {
                .ping
            } else {
                .single
            }
        let subject = CampaignSubject(
            campaign: campaign.saying(content),
            message: nil,
            declaration: nil,
            now: now
        )
        life = subject.life(on: .android)?.seconds ?? TimeToLive.maximumSeconds
    }
}

extension MessageContent {
    fileprivate func text(at path: [String]) -> String? { value(at: path)?.stringValue }
}
