import CampaignMessages
import CampaignModel
import Diagnostics

extension RulePage {
    static let platformLeftOut = RulePage(
        .platformLeftOut,
        whatItDoes: """
            Finds messages to a topic or condition that have nothing for some platform.

            Their content stands under single platforms only, with no common `notification` or \
            `data`.
            """,
        whyIsThisBad: """
            A topic has subscribers on all platforms, and those of the others never learn of it.
            """,
        example: """
            campaign: storm-warning
            audience: { topic: tides }
            message:
              webpush:
                notification: { title: Storm warning, body: Stay in the harbour }
            """,
        useInstead: """
            campaign: storm-warning
            audience: { topic: tides }
            message:
              notification: { title: Storm warning, body: Stay in the harbour }
            """,
        source: "Firebase reference, REST resource projects.messages"
    )
}

extension Rule {
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
