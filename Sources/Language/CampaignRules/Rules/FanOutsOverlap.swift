import CampaignLoading
import CampaignModel
import Diagnostics
import Time

extension RulePage {
    static let fanOutsOverlap = RulePage(
        .fanOutsOverlap,
        whatItDoes: """
            Finds a scheduled send to a topic or condition that falls into the fan-out of another.

            FCM delivers about 10,000 a second, so a fan-out is taken to last the declared `reach` \
            of its topic by 10,000, in seconds. A condition reaches at most the smallest of topics \
            that are joined by `&&` and the sum of those joined by `||`. Where nothing is declared, \
            nothing is known, and it is no finding. Campaigns without a schedule are left out: \
            Herald sends them one after the other. Where every environment that is no emulator \
            has a `pace` with more than one of `fan_outs`, overlapping is wanted.
            """,
        whyIsThisBad: """
            The fan-outs of a project share its rate: two at once make both slower, and the people \
            at the end of either get it late. Herald therefore starts one at a time, so the second \
            does not leave at its moment.
            """,
        example: """
            campaign: tide-table
            audience: { topic: tides }
            message: { notification: { title: The new tide table } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 4h }
            ---
            campaign: ferry-times
            audience: { topic: azores }
            message: { notification: { title: The new ferry times } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-table
            audience: { topic: tides }
            message: { notification: { title: The new tide table } }
            schedule: { at: "2037-01-05 07:33" }
            delivery: { ttl: 4h }
            ---
            campaign: ferry-times
            audience: { topic: azores }
            message: { notification: { title: The new ferry times } }
            schedule: { at: "2037-01-05 07:38" }
            delivery: { ttl: 4h }
            """,
        source: """
            Firebase documentation, About FCM messages, Fanout throttling; Firebase \
            documentation, Topic messaging
            """
    )
}

extension Rule {
    static let fanOutsOverlap = Rule(.fanOutsOverlap) { context, log in
        guard !context.project.wantsOverlaps else { return }
        var findings = SharedFindings()
        var running: FanOut?
        for next in context.fanOuts {
            var next = next
            if let running, next.start < running.end {
                findings.add(next.campaign) { context.overlap(next, running) }
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

    fileprivate func overlap(_ next: FanOut, _ running: FanOut) -> Diagnostic {
        let id = together.campaigns[next.campaign].campaign.id
        let other = together.campaigns[running.campaign].campaign.id
        let isOwn = next.campaign == running.campaign
        return Diagnostic(
            rule: .fanOutsOverlap,
            message: "the fan-out of `\(id)` would begin while "
                + (isOwn ? "its last one runs" : "that of `\(other)` runs"),
            span: timingPlace(of: next.campaign),
            label: "\(Instant(secondsSince1970: next.moment)), and that one ends at "
                + "\(Instant(secondsSince1970: running.end))",
            related: isOwn
                ? [] : others([Send(moment: running.moment, campaign: running.campaign)]),
            help: [
                "send it \(DurationText.text(seconds: running.end - next.moment)) later, or more"
            ]
        )
    }
}
