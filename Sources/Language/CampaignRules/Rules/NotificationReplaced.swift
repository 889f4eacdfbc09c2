import CampaignLoading
import CampaignModel
import Diagnostics
import Time

extension RulePage {
    static let notificationReplaced = RulePage(
        .notificationReplaced,
        whatItDoes: """
            Finds notifications that may be replaced before an Android device that is away gets them.

            That is so where another campaign sends a notification to the same devices before the \
            life of the first is over: four weeks where none is written. Each such campaign is \
            named once, with the next one that replaces it. Where both have the same \
            `delivery.collapse` or `tag`, the replacing is meant; a repeating campaign that \
            replaces itself is no finding either.

            Campaigns are held together where they are known to reach the same devices: by the \
            same topic, by a condition and a topic that brings somebody into it, by lists with the \
            same registrations, by a list and a topic to which it is kept subscribed. Two \
            different topics are not. A campaign without a schedule is taken to be sent now.
            """,
        whyIsThisBad: """
            Notifications are always collapsible, and all of an app share one key. Of two that \
            wait for the same device FCM may deliver only the later one.
            """,
        example: """
            campaign: high-water
            audience: { topic: tides }
            message: { notification: { title: High water at Horta } }
            delivery: { ttl: 4h }
            ---
            campaign: low-water
            audience: { topic: tides }
            message: { notification: { title: Low water at Flores } }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: high-water
            audience: { topic: tides }
            message: { notification: { title: High water at Horta } }
            delivery: { ttl: 4h }
            ---
            campaign: low-water
            audience: { topic: tides }
            message: { notification: { title: Low water at Flores } }
            schedule: { at: "2037-01-02 07:33" }
            delivery: { ttl: 4h }
            """,
        source: """
            Firebase documentation, About FCM messages, Non-collapsible and collapsible messages
            """
    )
}

extension Rule {
    static let notificationReplaced = Rule(.notificationReplaced) { context, log in
        let together = context.together
        var findings = SharedFindings()
        for devices in together.devices {
            var last: Send?
            for send in devices.sends {
                guard let message = together.android(send), message.isNotification,
                    message.isStored
                else { continue }
                if let last, together.isReplaced(last, by: send) {
                    findings.add(last.campaign) { context.replaced(last, by: send, devices) }
                }
                last = send
            }
        }
        findings.report(to: &log)
    }
}

extension Together {
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
        _ devices: SharedDevices
    ) -> Diagnostic {
        let (old, new) = (together.campaigns[first.campaign], together.campaigns[second.campaign])
        let life = DurationText.text(seconds: old.android?.life ?? 0)
        return Diagnostic(
            rule: .notificationReplaced,
            message: "offline, \(devices.who.words) may get only `\(new.campaign.id)`, not "
                + "`\(old.campaign.id)`",
            span: timingPlace(of: first.campaign),
            label: "sent \(time(first.moment)), waits for up to \(life)",
            related: others([second]),
            help: [
                "write a shorter `ttl`, send it later, or send data: only notifications share one "
                    + "collapse key",
                "where only the newer counts, give both the same `delivery: { collapse: … }`",
            ]
        )
    }
}
