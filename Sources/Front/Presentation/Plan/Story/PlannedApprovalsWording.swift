import CampaignModel
import Planning

/// Describes the approvals that a plan needs, and those that it sets for later plans.
struct PlannedApprovalsWording {
    let hint: CommandHint

    func text(of planned: PlannedApprovals) -> String {
        [need(planned), change(planned)].compactMap(\.self).joined(separator: "; ")
    }

    private func need(_ planned: PlannedApprovals) -> String? {
        guard let policy = planned.required, let reason = planned.reason else { return nil }
        let signers = policy.need == 1 ? "1 signer must" : "\(policy.need) signers must"
        return "\(signers) approve this plan with `\(hint("approve DIGEST"))`\(wording(reason)); "
            + "`apply` then requires `--expect`"
    }

    private func wording(_ reason: PlannedApprovals.Reason) -> String {
        switch reason {
        case .always: ""
        case .changesRules:
            ", because it changes the approvals or the signers, and the present signers decide"
        case .reach(let reach, let limit):
            ", because its sends reach \(reach.grouped) devices, and the limit is \(limit.grouped)"
        case .unknownReach(let limit):
            ", because the reach of a send is unknown, and the limit is \(limit.grouped)"
        }
    }

    private func change(_ planned: PlannedApprovals) -> String? {
        guard planned.changesRules else { return nil }
        guard let declared = planned.declared else {
            return "later plans need no approvals"
        }
        let signers = declared.need == 1 ? "1 signer" : "\(declared.need) signers"
        let over = declared.over.map { ", above a reach of \($0.grouped)" } ?? ""
        return "later plans need \(signers) of the file that this apply records\(over)"
    }
}
