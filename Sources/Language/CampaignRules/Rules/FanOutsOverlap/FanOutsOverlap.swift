import CampaignLoading
import CampaignModel
import Diagnostics
import Time

extension Rule {
    static let fanOutsOverlap = Rule.ofEnvironments(.fanOutsOverlap) { context, log in
        guard !context.project.wantsOverlaps else { return }
        var findings = SharedFindings()
        var running: FanOut?
        for next in context.fanOuts {
            var next = next
            if let running, next.start < running.end {
                findings.add(about: next.campaign) { context.overlap(of: next, with: running) }
                next.wait(until: running.end)
            }
            running = next
        }
        findings.report(to: &log)
    }
}

/// Messages per second (Firebase documentation, About FCM messages).
private let fanOutRate = 10_000

private struct FanOut {
    let campaign: Int
    let moment: Int64
    private(set) var start: Int64
    /// Whole seconds, at least one.
    let seconds: Int64

    init(_ campaign: Int, at moment: Int64, reach: Int) {
        self.campaign = campaign
        self.moment = moment
        start = moment
        seconds = Int64(max(1, (reach + fanOutRate - 1) / fanOutRate))
    }

    var end: Int64 { start + seconds }

    mutating func wait(until moment: Int64) { start = moment }
}

extension Project {
    fileprivate var wantsOverlaps: Bool {
        let real = environments.filter { environment in
            switch environment.endpoint {
            case .fcm, .unresolved: true
            case .embeddedEmulator, .emulator: false
            }
        }
        return !real.isEmpty && real.allSatisfy { $0.pace.fanOuts > 1 }
    }
}

extension RuleContext {
    /// The fan-outs with a known start and duration, in ascending order.
    fileprivate var fanOuts: [FanOut] {
        var fanOuts: [FanOut] = []
        for number in together.campaigns.indices {
            let timed = together.campaigns[number]
            guard let reach = timed.facts.declaredReach, reach > 0,
                timed.facts.schedule != .immediate
            else { continue }
            fanOuts += timed.moments.map { FanOut(number, at: $0, reach: reach) }
        }
        return fanOuts.sorted { ($0.moment, $0.campaign) < ($1.moment, $1.campaign) }
    }

    fileprivate func overlap(of next: FanOut, with running: FanOut) -> Diagnostic {
        let id = together.campaigns[next.campaign].campaign.id
        let other = together.campaigns[running.campaign].campaign.id
        let isOwn = next.campaign == running.campaign
        return Diagnostic(
            rule: .fanOutsOverlap,
            message: "the fan-out of `\(id)` would begin during "
                + (isOwn ? "its previous one" : "the fan-out of `\(other)`"),
            span: timingPlace(of: next.campaign),
            label: "due \(Instant(secondsSince1970: next.moment)); the running fan-out ends at "
                + "\(Instant(secondsSince1970: running.end))",
            related: isOwn
                ? [] : others([Send(moment: running.moment, campaign: running.campaign)]),
            help: [
                "send it at least \(DurationText.text(seconds: running.end - next.moment)) later"
            ]
        )
    }
}
