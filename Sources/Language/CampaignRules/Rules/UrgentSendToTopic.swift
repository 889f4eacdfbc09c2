import CampaignModel
import Diagnostics

extension RulePage {
    static let urgentSendToTopic = RulePage(
        .urgentSendToTopic,
        whatItDoes: """
            Finds messages to a topic or condition that are worth something at once or never.

            These have a time to live of 0; or high priority and on the same platform one of less \
            than ten minutes, or an expiry so soon after the sending; or data with the names of a \
            call (`call_id`, `caller_id`, `incoming_call`, `sdp`).
            """,
        whyIsThisBad: """
            Topics are optimised for throughput, not latency: the last subscriber may get it when \
            it is over.
            """,
        example: """
            campaign: pilot-wanted
            audience: { topic: azores }
            message:
              notification: { title: Pilot wanted, body: A ship waits at the outer pier }
            delivery: { ttl: 0s }
            """,
        useInstead: """
            campaign: pilot-wanted
            audience: { registrations: lists/pilots.txt }
            message:
              notification: { title: Pilot wanted, body: A ship waits at the outer pier }
            delivery: { ttl: 0s }
            === lists/pilots.txt
            pilot-phone:1
            """,
        source: "Firebase documentation, Topic messaging"
    )
}

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
            return .urgent("is now or never", label: "now or never", at: place(of: life))
        }
        return lives.first { $0.seconds < shortLife && isHigh(on: $0.platform) }.map { life in
            .urgent(
                "has high priority and is over after \(DurationText.text(seconds: life.seconds))",
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
                "looks like a call",
                label: "the data of a call",
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
            help: ["topics are made for throughput, not latency: send it to registrations"]
        )
    }
}
