import Approvals
import CampaignModel
import Planning
import Presentation
import State
import Time

/// The approvals that a plan needs.
extension ApplyRequest {
    /// Returns the signers who approve the plan; none if it needs no approvals.
    ///
    /// The rest of a plan was approved when that plan began.
    ///
    /// - Throws: A failure with exit code 6 if the approvals are not enough. Nothing was sent or
    ///   recorded before.
    func approvals(of plan: Plan) async throws(CommandFailure) -> [RecordedApproval] {
        guard let policy = plan.approvals.required else { return [] }
        guard let reference else {
            let text = ErrorText.approvalsNeedReview(policy.need, command: target.hint("plan"))
            throw CommandFailure(text, exit: .refusedByGuard)
        }
        if case .goesOn = try await reference.verdict(on: plan, in: target.store) { return [] }
        guard reference.digest.serial != nil else {
            throw CommandFailure(.approvalsNeedSerial, exit: .refusedByGuard)
        }
        let count = try await evidence(for: reference).count(by: policy, at: session.clock.now())
        guard count.isEnough else {
            let view = ApprovalTextView(style: session.options.errorStyle)
            session.options.tell(view.lines(count))
            let command = target.hint("approve \(reference.digest)")
            let text = ErrorText.notApproved(
                count.signers.count,
                of: policy.need,
                command: command
            )
            throw CommandFailure(text, exit: .refusedByGuard)
        }
        return count.signers.map { RecordedApproval(principal: $0.principal, key: $0.key) }
    }

    private func evidence(for reference: PlanReference) -> ApprovalEvidence {
        ApprovalEvidence(
            session: session,
            plan: reference,
            options: arguments.evidence,
            store: target.store,
            environment: target.environment.id,
            declared: target.guards.approvals
        )
    }
}
