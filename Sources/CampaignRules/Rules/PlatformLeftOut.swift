import CampaignMessages
import CampaignModel
import Diagnostics

extension RulePage {
    static let platformLeftOut = RulePage(
        .platformLeftOut,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: finds messages to a topic or condition with content under single platforms
    /// only, so that another platform gets nothing.
    ///
    /// Why is this bad: a topic has subscribers on all platforms, and those of the others never
    /// learn of it.
    ///
    /// Example: `message: { webpush: { notification: { title: Spring tide } } }`
    ///
    /// Use instead: `message: { notification: { title: Spring tide } }`
    ///
    /// Source: Firebase reference, REST resource projects.messages.
    static let platformLeftOut = Rule.ofWholeCampaigns(.platformLeftOut) { subject, log in
        let leftOut = subject.platforms { $0 == .nothing }
        guard subject.campaign.target.reachesSubscribers, !leftOut.isEmpty else { return }
        log.report(.platformLeftOut(leftOut, subject))
    }
}

extension Diagnostic {
    fileprivate static func platformLeftOut(
        _ platforms: [Platform],
        _ subject: CampaignSubject
    ) -> Diagnostic {
        let reached = subject.platforms { $0 != .nothing }
        return Diagnostic(
            rule: .platformLeftOut,
            message: "subscribers on \(platforms.names) get nothing of this message",
            span: reached.first.flatMap { subject.keySpan(at: [$0.block]) },
            label: "it has content for \(reached.names) only",
            help: ["a common `notification` or `data` reaches all platforms"]
        )
    }
}
