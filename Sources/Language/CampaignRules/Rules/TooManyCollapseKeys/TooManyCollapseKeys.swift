import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import FCMWire
import JSON
import Time

extension Rule {
    static let tooManyCollapseKeys = Rule.ofEnvironments(.tooManyCollapseKeys) { context, log in
        var findings = SharedFindings()
        for devices in context.together.devices {
            for platform in [Platform.android, .apple] {
                let stays = StorageIntervals(
                    stays: context.together.keysHeld(by: devices, on: platform)
                )
                for place in stays.overflows(above: maximumKeys) {
                    let campaign = stays.stays[place].campaign
                    findings.add(about: campaign) {
                        context.tooManyKeys(stays, at: place, of: devices, on: platform)
                    }
                }
            }
        }
        findings.report(to: &log)
    }
}

/// Firebase documentation, About FCM messages.
private let maximumKeys = 4

extension CrossCampaignAnalysis {
    /// Returns when each key is stored; empty if there are not more keys than allowed.
    fileprivate func keysHeld(by devices: SharedDevices, on platform: Platform) -> [StorageInterval]
    {
        guard keyCount(of: devices, on: platform) > maximumKeys else { return [] }
        var stays: [StorageInterval] = []
        var last: [Int: Int] = [:]
        for send in devices.sends {
            guard let (key, life) = heldKey(of: send.campaign, on: platform) else { continue }
            let end = send.moment + life
            if key != HeldKey.own, let place = last[key], stays[place].end > send.moment {
                let isSameMoment = stays[place].start == send.moment
                stays[place].end = isSameMoment ? end : send.moment
                if isSameMoment { continue }
            }
            last[key] = stays.count
            stays.append(
                StorageInterval(campaign: send.campaign, key: key, start: send.moment, end: end)
            )
        }
        return stays
    }

    /// Returns the number of different keys, including each occurrence's own.
    private func keyCount(of devices: SharedDevices, on platform: Platform) -> Int {
        var written: Set<Int> = []
        var own = 0
        for campaign in devices.campaigns {
            guard let (key, _) = heldKey(of: campaign, on: platform) else { continue }
            if key == HeldKey.own {
                own += campaigns[campaign].moments.count
            } else {
                written.insert(key)
            }
        }
        return written.count + own
    }

    /// Returns the number of a message's key, and its storage time in seconds.
    ///
    /// nil if the message is not stored, or has no key.
    private func heldKey(of campaign: Int, on platform: Platform) -> (key: Int, life: Int64)? {
        let campaign = campaigns[campaign]
        let key: Int?
        let life: Int64?
        if platform == .android {
            life = campaign.android?.life
            key = campaign.android.flatMap(heldKey)
        } else {
            life = campaign.apple?.life
            key = campaign.apple?.key.flatMap(heldKey)
        }
        guard let key, let life, life > 0 else { return nil }
        return (key, life)
    }

    private func heldKey(_ message: AndroidMessage) -> Int? {
        switch message.storage {
        case .notification: HeldKey.notifications
        case .key(let key): keyNumbers[key]
        case .single, .ping: nil
        }
    }

    private func heldKey(_ key: AppleMessage.Key) -> Int? {
        switch key {
        case .own: HeldKey.own
        case .written(let key): keyNumbers[key]
        }
    }
}

/// Keys without a number in `CrossCampaignAnalysis.keys`.
private enum HeldKey {
    /// The key that all notifications to Android share.
    static let notifications = -1
    /// A different key for each occurrence.
    static let own = -2
}

extension RuleContext {
    fileprivate func tooManyKeys(
        _ stays: StorageIntervals,
        at place: Int,
        of devices: SharedDevices,
        on platform: Platform
    ) -> Diagnostic {
        let last = stays.stays[place]
        let others = stays.others(at: place, count: maximumKeys)
        return Diagnostic(
            rule: .tooManyCollapseKeys,
            message: "\(devices.who.words) would have five collapse keys at once"
                + (platform == .apple ? " on Apple platforms" : "")
                + "; FCM keeps \(maximumKeys)",
            span: keyPlace(last),
            label: "the fifth, \(time(last.start)): \(keyWords(last))",
            related: others.compactMap { stay in
                keyPlace(stay).map { RelatedPlace(span: $0, message: keyWords(stay)) }
            },
            help: [
                last.key == HeldKey.own
                    ? "if only the newest matters, give them the same `delivery: { collapse: … }`; "
                        + "otherwise shorten the lifetimes, because each occurrence has its own key"
                    : "use at most four keys or shorter lifetimes, or send data without a collapse "
                        + "key: FCM then stores each message"
            ]
        )
    }

    private func keyWords(_ stay: StorageInterval) -> String {
        switch stay.key {
        case HeldKey.notifications: "the key of all notifications"
        case HeldKey.own: "the key of the occurrence"
        default: "the key `\(together.keys[stay.key])`"
        }
    }

    /// Returns the span of the key.
    private func keyPlace(_ stay: StorageInterval) -> SourceSpan? {
        guard stay.key >= 0 else { return timingPlace(of: stay.campaign) }
        let campaign = together.campaigns[stay.campaign].campaign
        let declared = declaration(of: campaign)
        let paths = [["android", "collapse_key"], Platform.apple.replacementPath]
        let written = paths.first { path in
            campaign.content.value(at: path) == .string(together.keys[stay.key])
        }
        return written.flatMap { declared?.message?.value.span(at: $0) }
            ?? declared?.delivery?.value.collapse?.span ?? timingPlace(of: stay.campaign)
    }
}
