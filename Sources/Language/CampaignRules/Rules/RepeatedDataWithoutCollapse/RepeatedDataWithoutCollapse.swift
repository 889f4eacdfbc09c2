import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import FCMWire
import JSON

extension Rule {
    static let repeatedDataWithoutCollapse = Rule.ofWholeCampaigns(
        .repeatedDataWithoutCollapse
    ) { subject, log in
        guard case .repeating = subject.campaign.schedule,
            subject.kind(on: .android) == .data, subject.campaign.delivery.collapse == nil,
            subject.text(at: ["android", "collapse_key"]) == nil,
            subject.lives.first(where: { $0.platform == .android })?.seconds != 0
        else { return }
        log.report(.repeatedData(at: subject.message?.span(at: ["data"])))
    }
}

extension Diagnostic {
    fileprivate static func repeatedData(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .repeatedDataWithoutCollapse,
            message: "FCM stores every repetition for an offline device",
            span: span,
            label: "data without a collapse key",
            help: ["if only the newest message matters, write `delivery: { collapse: KEY }`"]
        )
    }
}
