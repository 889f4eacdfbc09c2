import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import FCMWire

extension RulePage {
    static let repeatedDataWithoutCollapse = RulePage(
        .repeatedDataWithoutCollapse,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: finds data that is sent again and again and is kept message by message.
    ///
    /// Why is this bad: where only the newest counts, a phone that comes back gets all of them, at
    /// most 100. Collapsible messages are cheaper then.
    ///
    /// Example: `schedule: { cron: "0 * * * *" }` and `message: { data: { score: 850 } }`
    ///
    /// Use instead: `delivery: { collapse: score }` beside it, unless every message counts, as in
    /// a chat
    ///
    /// Source: Firebase documentation, About FCM messages, Non-collapsible and collapsible
    /// messages.
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
