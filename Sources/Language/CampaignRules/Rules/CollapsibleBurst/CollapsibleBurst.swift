import CampaignModel
import Diagnostics
import Time

extension Rule {
    static let collapsibleBurst = Rule.ofEnvironments(.collapsibleBurst) { context, log in
        var findings = SharedFindings()
        for devices in context.together.devices {
            var bucket = Bucket()
            for (place, send) in devices.sends.enumerated() {
                guard let message = context.together.android(send), message.isThrottled,
                    bucket.overflows(at: send.moment)
                else { continue }
                findings.add(about: send.campaign) { context.burst(at: place, on: devices) }
            }
        }
        findings.report(to: &log)
    }
}

/// The number of messages that a device can still receive at once, as a token bucket.
///
/// It is counted in seconds of refill, and further messages create a debt.
private struct Bucket {
    static let size = 20
    static let secondsForOne: Int64 = 180
    private static let full = Int64(size) * secondsForOne

    private var seconds = full
    private var moment: Int64?
    private var isOverdrawn = false

    /// Removes one message; returns true for the first missing message of each stretch.
    mutating func overflows(at moment: Int64) -> Bool {
        seconds = min(Self.full, seconds + moment - (self.moment ?? moment)) - Self.secondsForOne
        self.moment = moment
        defer { isOverdrawn = seconds < 0 }
        return seconds < 0 && !isOverdrawn
    }
}

extension AndroidMessage {
    fileprivate var isThrottled: Bool { isCollapsible && isStored }
}

extension RuleContext {
    fileprivate func burst(at place: Int, on devices: SharedDevices) -> Diagnostic {
        let send = devices.sends[place]
        let others = devices.sends.others(before: place) { other in
            together.android(other)?.isThrottled ?? false
        }
        return Diagnostic(
            rule: .collapsibleBurst,
            message: "\(devices.who.words) would get collapsible messages faster than FCM delivers "
                + "them (\(Bucket.size) at once, then one every 3 minutes)",
            span: timingPlace(of: send.campaign),
            label: "the first delayed message, \(time(send.moment))",
            related: self.others(others),
            help: [
                "for high bursts, use non-collapsible messages with the content inside: data "
                    + "without a collapse key",
                "or send fewer messages; delayed messages are not lost",
            ]
        )
    }
}
