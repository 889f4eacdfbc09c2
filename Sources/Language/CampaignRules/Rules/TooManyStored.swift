import CampaignModel
import Diagnostics
import Time

extension RulePage {
    static let tooManyStored = RulePage(
        .tooManyStored,
        whatItDoes: """
            Finds more than 100 non-collapsible messages that wait for one Android device at once.

            Non-collapsible are data without a collapse key. Each waits from the moment of sending \
            for its life on Android, four weeks where none is written; with a `ttl` of 0 it never \
            waits. A campaign that comes so far by its own repetitions is left to \
            `repeated-data-without-collapse`.

            Campaigns count together where they are known to reach the same devices: by the same \
            topic, by a condition and a topic that brings somebody into it, by lists with the same \
            registrations, by a list and a topic to which it is kept subscribed. Two different \
            topics are not. A campaign without a schedule is taken to be sent now, a repeating one \
            is looked at for 28 days.
            """,
        whyIsThisBad: """
            FCM stores 100 of them. Where one more comes, all that are stored are discarded, and \
            the app learns only that something is missing (`onDeletedMessages`).
            """,
        example: """
            ⟨---
            campaign: catch-#
            audience: { topic: azores }
            message: { data: { catch: "#" } }
            delivery: { ttl: 4h }
            ×101⟩
            """,
        useInstead: """
            campaign: catches
            audience: { topic: azores }
            message: { data: { fetch: catches } }
            delivery: { ttl: 4h, collapse: catches }
            """,
        source: """
            Firebase documentation, About FCM messages, Lifetime of a message; Firebase \
            documentation, Receive messages in an Android app
            """
    )
}

extension Rule {
    static let tooManyStored = Rule(.tooManyStored) { context, log in
        let together = context.together
        let counted = together.campaigns.map(\.storesMessages)
        var findings = SharedFindings()
        for devices in together.devices {
            let stays = Stays(stays: together.singles(devices, where: counted))
            for place in stays.overflows(above: maximumStored) {
                let campaign = stays.stays[place].campaign
                findings.add(campaign) { context.tooManyStored(stays, place, devices) }
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

extension Together {
    fileprivate func singles(_ devices: SharedDevices, where counted: [Bool]) -> [Stay] {
        devices.sends.compactMap { send in
            guard counted[send.campaign], let message = android(send) else { return nil }
            let end = send.moment + message.life
            return Stay(campaign: send.campaign, key: 0, start: send.moment, end: end)
        }
    }
}

extension RuleContext {
    fileprivate func tooManyStored(
        _ stays: Stays,
        _ place: Int,
        _ devices: SharedDevices
    ) -> Diagnostic {
        let last = stays.stays[place]
        let others = stays.others(at: place, count: [Send].maximumRelated)
        return Diagnostic(
            rule: .tooManyStored,
            message: "more than \(maximumStored) messages could wait for \(devices.who.words): FCM "
                + "would discard them all",
            span: timingPlace(of: last.campaign),
            label: "one too many \(time(last.start))",
            related: self.others(others.map { Send(moment: $0.start, campaign: $0.campaign) }),
            help: [
                "give them a shorter `ttl`, or a collapse key where only the newest counts",
                "or send one that makes the app fetch the rest",
            ]
        )
    }
}
