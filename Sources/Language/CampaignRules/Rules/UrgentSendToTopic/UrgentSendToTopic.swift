import CampaignModel
import Diagnostics

extension Rule {
    static let urgentSendToTopic = Rule.ofCampaigns(.urgentSendToTopic) { subject, log in
        guard subject.campaign.target.reachesSubscribers else { return }
        if let diagnostic = subject.urgentLife ?? subject.call { log.report(diagnostic) }
    }
}

/// A high-priority message with a shorter lifetime may expire before a topic's last subscriber has
/// it.
private let shortLife: Int64 = 600

extension CampaignSubject {
    fileprivate var urgentLife: Diagnostic? {
        let lives = lives
        if let life = lives.first(where: { $0.seconds == 0 }) {
            return .urgent("has a time to live of 0", label: "not stored", at: place(of: life))
        }
        return lives.first { $0.seconds < shortLife && isHigh(on: $0.platform) }.map { life in
            .urgent(
                "has high priority and expires after \(DurationText.text(seconds: life.seconds))",
                label: "less than \(DurationText.text(seconds: shortLife))",
                at: place(of: life)
            )
        }
    }

    fileprivate var call: Diagnostic? {
        guard survey.namesCall else { return nil }
        let call = texts.first { $0.isSent && $0.isData && CallKey.isName($0.name ?? "") }
        return call.map { text in
            .urgent(
                "contains the data of a call",
                label: "call data",
                at: keySpan(at: text.path)
            )
        }
    }
}

extension Diagnostic {
    fileprivate static func urgent(
        _ urgency: String,
        label: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .urgentSendToTopic,
            message: "a message to a topic \(urgency)",
            span: span,
            label: label,
            help: ["send it to registrations: topics are made for throughput, not latency"]
        )
    }
}
