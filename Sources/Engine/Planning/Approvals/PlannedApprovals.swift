package import CampaignModel
import JSON
import RegistrationLists
import State

/// The signed approvals that a plan needs.
package struct PlannedApprovals: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// Every plan with changes needs them.
        case always
        /// The plan changes the rules of approvals, or the signers.
        case changesRules
        /// The number of devices that the new sends of the plan reach.
        case reach(Int, over: Int)
        case unknownReach(over: Int)
    }

    /// The rules of the last applied state, which decide about this plan; nil if it has none.
    package let inForce: ApprovalPolicy?
    /// The rules in the files, which decide about later plans; nil if they have none.
    package let declared: ApprovalPolicy?
    /// Nil if the plan needs no approvals.
    package let reason: Reason?

    package init(inForce: ApprovalPolicy?, declared: ApprovalPolicy?, reason: Reason?) {
        self.inForce = inForce
        self.declared = declared
        self.reason = reason
    }

    package static let none = PlannedApprovals(inForce: nil, declared: nil, reason: nil)

    /// Whether later plans are approved by other rules than this one.
    package var changesRules: Bool { inForce != declared }

    /// What later plans are compared with, once this plan is applied.
    var records: [DefinitionChange] { changesRules ? [.approvals(declared)] : [] }

    var notices: [PlanNotice] { reason != nil || changesRules ? [.approvals(self)] : [] }

    /// The part that a reviewer approves; nil if the rules stay.
    var reviewed: JSONValue? {
        changesRules
            ? .object(ReviewedApprovals.shape.json(of: ReviewedApprovals(policy: declared))) : nil
    }

    /// The rules that the plan must fulfil; nil if it needs no approvals.
    package var required: ApprovalPolicy? { reason == nil ? nil : inForce }
}

extension GuardReview {
    /// Decides which approvals the plan needs.
    ///
    /// Only what a reviewer approves counts: the rest of earlier plans was approved with them.
    func approvals(reviewing campaigns: Set<CampaignID>) -> PlannedApprovals {
        // Sends from the state change nothing, and the files are not read.
        if planner.isFromState { return .none }
        return PlannedApprovals(
            inForce: applied.guards.approvals,
            declared: basis.approvals,
            reason: applied.guards.approvals.flatMap { reason($0, reviewing: campaigns) }
        )
    }

    private func reason(
        _ policy: ApprovalPolicy,
        reviewing campaigns: Set<CampaignID>
    ) -> PlannedApprovals.Reason? {
        if policy != basis.approvals { return .changesRules }
        guard let limit = policy.over else {
            return campaigns.isEmpty && actions.memberships.isEmpty ? nil : .always
        }
        let sends = guardedCampaigns.filter { $0.sends && campaigns.contains($0.campaign.id) }
        let reach = reachEstimate
        var total = 0
        for guarded in sends {
            guard !guarded.campaign.target.isReadAtSend,
                let count = recipients(of: guarded.campaign, reach: reach)
            else { return .unknownReach(over: limit) }
            total += count
        }
        for correction in guardedCorrections where campaigns.contains(correction.campaign) {
            guard let count = correction.reach else { return .unknownReach(over: limit) }
            total += count
        }
        return total > limit ? .reach(total, over: limit) : nil
    }
}

/// The rules of approvals that a plan sets, as a reviewer approves them.
struct ReviewedApprovals {
    /// Nil if later plans need no approvals.
    let policy: ApprovalPolicy?

    static let shape = JSONShape<ReviewedApprovals>(
        "Approvals that later plans need, if the plan changes them.",
        [
            .required("need", .count, about: "Number of signers who must approve; 0 for none.") {
                $0.policy?.need ?? 0
            },
            .optional("over", .count, about: "Reach above which approvals are needed.") {
                $0.policy?.over
            },
            .optional("not_author", .flag, about: "Whether authors of the changes do not count.") {
                $0.policy?.excludesAuthors
            },
            .optional("valid", .integer, about: "Longest validity of an approval, in seconds.") {
                $0.policy?.valid
            },
            .optional("signers", .text, about: "SHA-256 of the file of allowed signers.") {
                $0.policy.map { ContentHash.of(JSONValue.string($0.signers)) }
            },
            .optional("revoked", .text, about: "SHA-256 of the file of revoked keys.") {
                $0.policy?.revoked.map { ContentHash.of(JSONValue.string($0)) }
            },
        ]
    )
}
