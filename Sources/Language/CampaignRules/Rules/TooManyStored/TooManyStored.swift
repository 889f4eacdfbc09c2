import CampaignModel
import Diagnostics
import Time

extension Rule {
    static let tooManyStored = Rule.ofEnvironments(.tooManyStored) { context, log in
        let together = context.together
        let counted = together.campaigns.map(\.storesMessages)
        var findings = SharedFindings()
        for devices in together.devices {
            let stays = StorageIntervals(stays: together.singles(devices, where: counted))
            for place in stays.overflows(above: maximumStored) {
                let campaign = stays.stays[place].campaign
                findings.add(about: campaign) {
                    context.tooManyStored(stays, at: place, of: devices)
                }
            }
        }
        findings.report(to: &log)
    }
}

/// Firebase documentation, About FCM messages.
private let maximumStored = 100

extension TimedCampaign {
    /// Whether its messages are stored one by one, and do not exceed the limit by themselves.
    fileprivate var storesMessages: Bool {
        guard let android, android.storage == .single, android.isStored else { return false }
        return !zip(moments, moments.dropFirst(maximumStored)).contains { first, later in
            later < first + android.life
        }
    }
}

extension CrossCampaignAnalysis {
    fileprivate func singles(_ devices: SharedDevices, where counted: [Bool]) -> [StorageInterval] {
        devices.sends.compactMap { send in
            guard counted[send.campaign], let message = android(send) else { return nil }
            let end = send.moment + message.life
            return StorageInterval(campaign: send.campaign, key: 0, start: send.moment, end: end)
        }
    }
}

extension RuleContext {
    fileprivate func tooManyStored(
        _ stays: StorageIntervals,
        at place: Int,
        of devices: SharedDevices
    ) -> Diagnostic {
        let last = stays.stays[place]
        let others = stays.others(at: place, count: [Send].maximumRelated)
        return Diagnostic(
            rule: .tooManyStored,
            message: "more than \(maximumStored) messages could wait for \(devices.who.words): FCM "
                + "would discard them all",
            span: timingPlace(of: last.campaign),
            label: "exceeds the limit \(time(last.start))",
            related: self.others(others.map { Send(moment: $0.start, campaign: $0.campaign) }),
            help: [
                "write a shorter `ttl`, or a collapse key if only the newest message matters",
                "or send one message that makes the app fetch the rest",
            ]
        )
    }
}
