import CampaignModel
import Diagnostics
import Time

extension Rule {
    static let deviceRate = Rule.ofEnvironments(.deviceRate) { context, log in
        var findings = SharedFindings()
        for devices in context.together.devices {
            let places = devices.sends.indices.filter {
                context.together.android(devices.sends[$0]) != nil
            }
            for limit in RateLimit.all {
                for place in limit.overflows(devices.sends, at: places) {
                    findings.add(about: devices.sends[place].campaign) {
                        context.tooFast(limit, at: place, on: devices)
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
        RateLimit(count: 240, seconds: 60, words: "240 messages per minute"),
        RateLimit(count: 5_000, seconds: 3_600, words: "5,000 messages per hour"),
    ]

    /// Returns the sends above the limit among those at these indices: the first of each stretch.
    func overflows(_ sends: [Send], at places: [Int]) -> [Int] {
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
        at place: Int,
        on devices: SharedDevices
    ) -> Diagnostic {
        let send = devices.sends[place]
        let others = devices.sends.others(before: place) { together.android($0) != nil }
        return Diagnostic(
            rule: .deviceRate,
            message: "\(devices.who.words) would get more than \(limit.words)",
            span: timingPlace(of: send.campaign),
            label: "exceeds the limit \(time(send.moment))",
            related: self.others(others),
            help: ["spread the messages over time, or combine several into one"]
        )
    }
}
