import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let platformLeftOut = Rule.ofWholeCampaigns(.platformLeftOut) { subject, log in
        let leftOut = subject.platforms { $0 == .nothing }
        guard subject.campaign.target.reachesSubscribers, !leftOut.isEmpty else { return }
        log.report(.platformLeftOut(leftOut, of: subject))
    }
}

extension Diagnostic {
    fileprivate static func platformLeftOut(
        _ platforms: [Platform],
        of subject: CampaignSubject
    ) -> Diagnostic {
        let reached = subject.platforms { $0 != .nothing }
        return Diagnostic(
            rule: .platformLeftOut,
            message: "the message has no content for \(platforms.names)",
            span: reached.first.flatMap { subject.keySpan(at: [$0.block]) },
            label: "content for \(reached.names) only",
            help: ["write a common `notification` or `data` for all platforms"]
        )
    }
}
