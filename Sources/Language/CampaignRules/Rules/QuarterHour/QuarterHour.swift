import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists
import Time

extension Rule {
    static let quarterHour = Rule.ofEnvironments(.quarterHour) { context, log in
        for timed in context.together.campaigns where timed.facts.schedule != .immediate {
            guard let busy = timed.moments.first(where: { QuarterHour.isNear($0) }),
                context.reach(of: timed.facts) > large
            else { continue }
            log.report(context.nearQuarter(timed.campaign, at: Instant(secondsSince1970: busy)))
        }
    }
}

/// The rule applies to more registrations than this.
private let large = 1_000

private enum QuarterHour {
    static let seconds: Int64 = 900
    static let avoided: Int64 = 120

    static func isNear(_ moment: Int64) -> Bool { place(of: moment) <= 2 * avoided }

    /// Returns the next whole minute outside of the avoided time.
    static func minute(after moment: Instant) -> Instant {
        let place = place(of: moment.secondsSince1970)
        return moment.advanced(bySeconds: 2 * avoided + 60 - place)
    }

    /// Returns the seconds since the avoided time last began.
    private static func place(of moment: Int64) -> Int64 {
        let rest = (moment + avoided) % seconds
        return rest < 0 ? rest + seconds : rest
    }
}

extension RuleContext {
    /// Returns the known reach of a send.
    fileprivate func reach(of facts: CampaignFacts) -> Int {
        guard let list = facts.list, case .success(let survey)? = surveys[list] else {
            return facts.declaredReach ?? 0
        }
        return survey.count
    }

    fileprivate func nearQuarter(_ campaign: Campaign, at moment: Instant) -> Diagnostic {
        let schedule = declaration(of: campaign)?.schedule
        let declared = schedule?.value
        let rule = declared?.cron?.span ?? declared?.rrule?.span
        return Diagnostic(
            rule: .quarterHour,
            message:
                "`\(campaign.id)` is due within two minutes of a quarter hour, when FCM is "
                + "busiest",
            span: declared?.at?.span ?? rule ?? schedule?.span,
            label: label(of: campaign.schedule, at: moment),
            help: ["choose a minute that is at least three minutes from a quarter hour"]
        )
    }

    /// Returns a label as in "07:33 is quieter than 07:30".
    private func label(of schedule: Schedule, at moment: Instant) -> String? {
        let zone: String
        switch schedule {
        case .immediate: return nil
        case .at(let moment): zone = moment.zone
        case .repeating(let rule): zone = rule.zone
        }
        guard let rules = try? zones.rules(named: zone) else { return nil }
        let better = rules.localTime(at: QuarterHour.minute(after: moment)).time
        return "\(better) is quieter than \(rules.localTime(at: moment).time)"
    }
}
