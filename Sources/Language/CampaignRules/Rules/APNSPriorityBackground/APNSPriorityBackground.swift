import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let apnsPriorityBackground = Rule.ofWholeCampaigns(.apnsPriorityBackground) {
        subject,
        log in
        guard let priority = subject.text(at: priorityPath) else { return }
        let pushType = subject.text(at: ["apns", "headers", "apns-push-type"])
        let kind = subject.kind(on: .apple)
        let place = subject.span(at: priorityPath)
        switch (priority, pushType) {
        case ("10", "background"): log.report(.backgroundPriority("background push", at: place))
        case ("10", nil) where kind == .data || kind == .ping,
            ("10", "alert") where kind == .data || kind == .ping:
            log.report(.backgroundPriority("message that shows nothing", at: place))
        case ("1", _) where kind == .liveActivity: log.report(.liveActivityPriority(at: place))
        default: break
        }
    }
}

private let priorityPath = ["apns", "headers", "apns-priority"]

extension Diagnostic {
    fileprivate static func backgroundPriority(
        _ what: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .apnsPriorityBackground,
            message: "APNs does not accept priority 10 for a \(what)",
            span: span,
            label: "must be 5",
            help: ["write 5, or add an alert"],
            fix: span.map { Fix(span: $0, replacement: "\"5\"") }
        )
    }

    fileprivate static func liveActivityPriority(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .apnsPriorityBackground,
            message: "APNs does not accept priority 1 for a live activity",
            span: span,
            label: "must be 5 or 10",
            help: ["write 5, or 10 if the person should notice the update at once"]
        )
    }
}
