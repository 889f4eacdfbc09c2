import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import FCMWire
import JSON
import Time

extension Rule {
    static let tooManyLabels = Rule.ofEnvironments(.tooManyLabels) { context, log in
        let labels = context.together.campaigns.map(\.facts.labels)
        guard Set(labels.joined()).count > maximumLabels else { return }
        var findings = SharedFindings()
        for (day, campaigns) in context.together.days(where: { !labels[$0].isEmpty }) {
            var seen: Set<String> = []
            for campaign in campaigns {
                let before = seen.count
                seen.formUnion(labels[campaign])
                guard before <= maximumLabels, seen.count > maximumLabels else { continue }
                findings.add(about: campaign) { context.tooManyLabels(campaign, on: day) }
            }
        }
        findings.report(to: &log)
    }
}

/// Firebase documentation, Understanding message delivery.
private let maximumLabels = 100

private let labelPaths = [[], ["android"], ["apns"], ["webpush"]].map {
    $0 + ["fcm_options", "analytics_label"]
}

extension CrossCampaignAnalysis {
    /// Each UTC day, by its number since 1970, with the campaigns that are sent on it.
    fileprivate func days(where isMeant: (Int) -> Bool) -> [(day: Int64, campaigns: [Int])] {
        var days: [Int64: [Int]] = [:]
        for number in campaigns.indices where isMeant(number) {
            var last: Int64?
            for moment in campaigns[number].moments {
                let day = moment / secondsOfDay
                if day != last { days[day, default: []].append(number) }
                last = day
            }
        }
        return days.map { ($0.key, $0.value) }.sorted { $0.day < $1.day }
    }
}

private let secondsOfDay: Int64 = 86_400

extension RuleContext {
    fileprivate func tooManyLabels(_ campaign: Int, on day: Int64) -> Diagnostic {
        let declared = declaration(of: together.campaigns[campaign].campaign)
        let message = declared?.message?.value
        let content = together.campaigns[campaign].campaign.content
        let path = labelPaths.first { content.value(at: $0) != nil }
        let midnight = Instant(secondsSince1970: day * secondsOfDay).utcText
        return Diagnostic(
            rule: .tooManyLabels,
            message: "more than \(maximumLabels) different analytics labels on "
                + "\(midnight.prefix { $0 != "T" })",
            span: path.flatMap { message?.span(at: $0) } ?? timingPlace(of: campaign),
            label: "exceeds the limit",
            help: ["share labels between campaigns: FCM accepts 100 per day"]
        )
    }
}
