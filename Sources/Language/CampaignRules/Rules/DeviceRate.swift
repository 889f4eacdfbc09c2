import CampaignModel
import Diagnostics
import Time

extension RulePage {
    static let deviceRate = RulePage(
        .deviceRate,
        whatItDoes: """
            Finds more than 240 messages in a minute, or 5,000 in an hour, to one Android device.

            Every message counts, also one with a `ttl` of 0, unless Android gets nothing of it.

            Campaigns count together where they are known to reach the same devices: by the same \
            topic, by a condition and a topic that brings somebody into it, by lists with the same \
            registrations, by a list and a topic to which it is kept subscribed. Two different \
            topics are not. A campaign without a schedule is taken to be sent now, a repeating one \
            is looked at for 28 days.
            """,
        whyIsThisBad: """
            FCM lets no more through to one device, so that a server that runs wild does not drain \
            its battery. No person reads four messages a second either.
            """,
        example: """
            === campaigns/positions.yaml
            ⟨---
            campaign: position-#
            audience: { registrations: campaigns/registrations/ana.txt }
            message: { data: { position: "#" } }
            delivery: { ttl: 0 }
            ×241⟩
            === campaigns/registrations/ana.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            === campaigns/positions.yaml
            campaign: positions
            audience: { registrations: campaigns/registrations/ana.txt }
            message: { data: { first: "1", last: "241" } }
            delivery: { ttl: 0 }
            === campaigns/registrations/ana.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: """
            Firebase documentation, About FCM messages, Maximum message rate to a single device; \
            Firebase documentation, Throttling and quotas
            """
    )
}

extension Rule {
    static let deviceRate = Rule(.deviceRate) { context, log in
        var findings = SharedFindings()
        for devices in context.together.devices {
            let places = devices.sends.indices.filter {
                context.together.android(devices.sends[$0]) != nil
            }
            for limit in RateLimit.all {
                for place in limit.overflows(devices.sends, places) {
                    findings.add(devices.sends[place].campaign) {
                        context.tooFast(limit, place, devices)
                    }
                }
            }
        }
        findings.report(to: &log)
    }
}

/// A maximum number of messages in any period of the given length.
private struct RateLimit {
    let count: Int
    let seconds: Int64
    let words: String

    static let all = [
        RateLimit(count: 240, seconds: 60, words: "240 messages a minute"),
        RateLimit(count: 5_000, seconds: 3_600, words: "5,000 messages an hour"),
    ]

    /// Returns the sends above the limit among those at these indices: the first of each stretch.
    func overflows(_ sends: [Send], _ places: [Int]) -> [Int] {
        var isOver = false
        return places.indices.dropFirst(count).compactMap { number in
            let (first, last) = (sends[places[number - count]], sends[places[number]])
            let wasOver = isOver
            isOver = last.moment - first.moment < seconds
            return isOver && !wasOver ? places[number] : nil
        }
    }
}

extension RuleContext {
    fileprivate func tooFast(
        _ limit: RateLimit,
        _ place: Int,
        _ devices: SharedDevices
    ) -> Diagnostic {
        let send = devices.sends[place]
        let others = devices.sends.others(before: place) { together.android($0) != nil }
        return Diagnostic(
            rule: .deviceRate,
            message: "\(devices.who.words) would get more than \(limit.words)",
            span: timingPlace(of: send.campaign),
            label: "one too many \(time(send.moment))",
            related: self.others(others),
            help: ["spread them over time, or send one message in place of several"]
        )
    }
}
