import CampaignLoading
import CampaignModel
import Diagnostics
import Time

extension Rule {
    static let notificationReplaced = Rule.ofEnvironments(.notificationReplaced) { context, log in
        let together = context.together
        var findings = SharedFindings()
        for devices in together.devices {
            var last: Send?
            for send in devices.sends {
                guard let message = together.android(send), message.isNotification,
                    message.isStored
                else { continue }
                if let last, together.isReplaced(last, by: send) {
                    findings.add(about: last.campaign) {
                        context.replaced(last, by: send, on: devices)
                    }
                }
                last = send
            }
        }
        findings.report(to: &log)
    }
}

extension CrossCampaignAnalysis {
    /// If both reach the same people at once, another rule reports it.
    fileprivate func isReplaced(_ first: Send, by second: Send) -> Bool {
        guard first.campaign != second.campaign, let message = android(first),
            second.moment < first.moment + message.life,
            message.tag == nil || message.tag != android(second)?.tag
        else { return false }
        return !reachTwiceAtOnce(first, second)
    }
}

extension RuleContext {
    fileprivate func replaced(
        _ first: Send,
        by second: Send,
        on devices: SharedDevices
    ) -> Diagnostic {
        let (old, new) = (together.campaigns[first.campaign], together.campaigns[second.campaign])
        let life = DurationText.text(seconds: old.android?.life ?? 0)
        return Diagnostic(
            rule: .notificationReplaced,
            message: "if offline, \(devices.who.words) may get only `\(new.campaign.id)`, not "
                + "`\(old.campaign.id)`",
            span: timingPlace(of: first.campaign),
            label: "sent \(time(first.moment)), stored for up to \(life)",
            related: others([second]),
            help: [
                "write a shorter `ttl`, send it later, or send data, because all notifications "
                    + "share one collapse key",
                "if only the newer one matters, give both the same `delivery: { collapse: … }`",
            ]
        )
    }
}
