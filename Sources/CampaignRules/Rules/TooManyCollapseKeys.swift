import CampaignLoading
import CampaignModel
import Diagnostics
import Scheduling

extension RulePage {
    static let tooManyCollapseKeys = RulePage(
        .tooManyCollapseKeys,
        whatItDoes: """
            Finds campaigns with which an Android device holds more than four collapse keys at once.

            A key is held while a message with it may wait for a device that is away: from the \
            moment of sending for the life on Android, four weeks where none is written, or until \
            a newer message with the same key replaces it. All notifications together hold one \
            key, the app's package name, whatever `collapse_key` says. A message with a `ttl` of \
            0 is never stored and holds none.

            Campaigns count together where they are known to reach the same devices: by the same \
            topic, by a condition and a topic that brings somebody into it, by lists with the same \
            registrations, by a list and a topic to which it is kept subscribed. A device may be \
            subscribed to any two topics, but that is no finding. A campaign without a schedule is \
            taken to be sent now, a repeating one is looked at for 28 days. Apple's \
            `apns-collapse-id` has no such limit.
            """,
        whyIsThisBad: """
            FCM stores messages under at most four collapse keys for a registration. It says \
            nothing about which four are left when there are more, so a device that comes back \
            may miss any of them.
            """,
        example: """
            ⟨---
            campaign: boat-#
            audience: { topic: tides }
            message: { data: { boat: "#" } }
            delivery: { ttl: 4h, collapse: boat-# }
            ×5⟩
            """,
        useInstead: """
            ⟨---
            campaign: boat-#
            audience: { topic: tides }
            message: { data: { boat: "#" } }
            delivery: { ttl: 4h }
            ×5⟩
            """,
        source: """
            Firebase documentation, About FCM messages, Non-collapsible and collapsible messages
            """
    )
}

extension Rule {
    static let tooManyCollapseKeys = Rule(.tooManyCollapseKeys) { context, log in
        var findings = SharedFindings()
        for devices in context.together.devices {
            let stays = Stays(stays: context.together.keysHeld(by: devices))
            for place in stays.overflows(above: maximumKeys) {
                let campaign = stays.stays[place].campaign
                findings.add(campaign) { context.tooManyKeys(stays, place, devices) }
            }
        }
        findings.report(to: &log)
    }
}

/// Firebase documentation, About FCM messages.
private let maximumKeys = 4

extension Together {
    /// When each key is held; none where there are no more keys than allowed.
    fileprivate func keysHeld(by devices: SharedDevices) -> [Stay] {
        let keys = Set(devices.campaigns.compactMap { campaigns[$0].android.flatMap(heldKey) })
        guard keys.count > maximumKeys else { return [] }
        var stays: [Stay] = []
        var last: [Int: Int] = [:]
        for send in devices.sends {
            guard let message = android(send), let key = heldKey(message) else { continue }
            let end = send.moment + message.life
            if let place = last[key], stays[place].end > send.moment {
                let isSameMoment = stays[place].start == send.moment
                stays[place].end = isSameMoment ? end : send.moment
                if isSameMoment { continue }
            }
            last[key] = stays.count
            stays.append(Stay(campaign: send.campaign, key: key, start: send.moment, end: end))
        }
        return stays
    }
}

extension Together {
    /// The number of the key under which a message is kept; nil where it is not stored, or under
    /// none.
    private func heldKey(_ message: AndroidMessage) -> Int? {
        guard message.isStored else { return nil }
        return switch message.storage {
        case .notification: AndroidMessage.notifications
        case .key(let key): keyNumbers[key]
        case .single, .ping: nil
        }
    }
}

extension AndroidMessage {
    fileprivate static let notifications = -1
}

extension RuleContext {
    fileprivate func tooManyKeys(
        _ stays: Stays,
        _ place: Int,
        _ devices: SharedDevices
    ) -> Diagnostic {
        let last = stays.stays[place]
        let others = stays.others(at: place, count: maximumKeys)
        return Diagnostic(
            rule: .tooManyCollapseKeys,
            message: "\(devices.who.words) would hold five collapse keys at once, and FCM keeps "
                + "\(maximumKeys)",
            span: keyPlace(last),
            label: "the fifth, \(time(last.start)): \(keyWords(last))",
            related: others.compactMap { stay in
                keyPlace(stay).map { RelatedPlace(span: $0, message: keyWords(stay)) }
            },
            help: [
                "give them no more than four keys, shorter lives, or none: data without a key are "
                    + "kept message by message"
            ]
        )
    }

    private func keyWords(_ stay: Stay) -> String {
        stay.key == AndroidMessage.notifications
            ? "the key of all notifications" : "the key `\(together.keys[stay.key])`"
    }

    /// Where the key was written.
    private func keyPlace(_ stay: Stay) -> SourceSpan? {
        guard stay.key != AndroidMessage.notifications else {
            return timingPlace(of: stay.campaign)
        }
        let declared = declaration(of: together.campaigns[stay.campaign].campaign)
        let path = ["android", "collapse_key"]
        let isHandwritten =
            together.campaigns[stay.campaign].campaign.content.value(at: path) != nil
        return isHandwritten
            ? declared?.message?.value.span(at: path)
            : declared?.delivery?.value.collapse?.span ?? timingPlace(of: stay.campaign)
    }
}
