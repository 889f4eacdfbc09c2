import CampaignModel
import JSON

extension GuardOutcome {
    /// Returns the part that a reviewer approves.
    ///
    /// Nil for outcomes about the run, and for campaigns that are not in `campaigns`, because only
    /// the clock causes those. The user who applies may switch off a guard that refused in review.
    /// That is recorded and does not change the plan.
    func reviewed(of campaigns: Set<CampaignID>) -> JSONValue? {
        guard !`guard`.isAboutTheRun else { return nil }
        if case .campaign(let id)? = subject, !campaigns.contains(id) { return nil }
        return .object(Self.reviewedShape.json(of: self))
    }

    static let reviewedShape = JSONShape<GuardOutcome>(
        "Outcome of a guard; `refused` even if it is bypassed.",
        [
            .required("guard", .openChoice, about: "Name of the guard.") { $0.guard },
            .optional("campaign", .text, about: "Name of the campaign.") {
                if case .campaign(let id)? = $0.subject { id.rawValue } else { nil }
            },
            .optional("audience", .text, about: "Audience.") {
                if case .audience(let id, _)? = $0.subject { id.rawValue } else { nil }
            },
            .optional("topic", .text, about: "Topic, if the guard is about a membership.") {
                if case .audience(_, let topic)? = $0.subject { topic?.name } else { nil }
            },
            .required("outcome", .choice, about: "What follows from it.") {
                $0.verdict.reviewed
            },
        ]
    )
}

extension GuardVerdict {
    fileprivate enum Reviewed: String, CaseIterable {
        case acknowledged
        case refused
    }

    fileprivate var reviewed: Reviewed {
        switch self {
        case .acknowledged: .acknowledged
        case .refused, .bypassed: .refused
        }
    }
}
