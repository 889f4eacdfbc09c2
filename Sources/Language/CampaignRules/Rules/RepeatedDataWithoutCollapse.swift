import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import FCMWire
import JSON

extension RulePage {
    static let repeatedDataWithoutCollapse = RulePage(
        .repeatedDataWithoutCollapse,
        whatItDoes: "Finds data that is sent again and again and is kept message by message.",
        whyIsThisBad: """
            Where only the newest counts, a phone that comes back gets all of them, at most 100. \
            Collapsible messages are cheaper then.

            In a chat every message counts: data that the app shows, without a collapse key. Of a \
            sync ping or a score only the newest counts: data with a collapse key, so that it \
            replaces the one that still waits. An alert is to be seen: a notification message, \
            which FCM displays and which is always collapsible, with high priority. So let FCM \
            display what needs nothing from the app, and send data where the app has something to \
            do with it.
            """,
        example: """
            campaign: regatta-score
            audience: { topic: azores }
            message:
              data: { score: "850" }
            schedule: { cron: "37 * * * *" }
            """,
        useInstead: """
            campaign: regatta-score
            audience: { topic: azores }
            message:
              data: { score: "850" }
            schedule: { cron: "37 * * * *" }
            delivery: { collapse: score }
            """,
        source: """
            Firebase documentation, About FCM messages, Non-collapsible and collapsible messages
            """
    )
}

extension Rule {
    static let repeatedDataWithoutCollapse = Rule.ofWholeCampaigns(
        .repeatedDataWithoutCollapse
    ) { subject, log in
        guard case .repeating = subject.campaign.schedule,
            subject.kind(on: .android) == .data, subject.campaign.delivery.collapse == nil,
            subject.text(at: ["android", "collapse_key"]) == nil
        else { return }
        log.report(.repeatedData(at: subject.message?.span(at: ["data"])))
    }
}

extension Diagnostic {
    fileprivate static func repeatedData(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .repeatedDataWithoutCollapse,
            message: "every repetition waits for a phone that is away",
            span: span,
            label: "data without a collapse key",
            help: ["where only the newest counts, write `delivery: { collapse: KEY }`"]
        )
    }
}
