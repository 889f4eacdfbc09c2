import CampaignModel
import Planning
import Presentation
import State

extension Apply {
    /// Returns whether the plan may be applied, given the reviewed plan that `--expect` names.
    ///
    /// Returns false, and reports it, if the reviewed plan was already applied.
    ///
    /// - Throws: A failure if the plan differs from the reviewed plan.
    func isToBeDone(
        _ plan: Plan,
        _ reference: PlanReference?,
        _ target: PlanningTarget
    ) async throws(CommandFailure) -> Bool {
        guard let reference else { return true }
        let text = ReviewWording(hint: target.hint)
        switch try await reference.verdict(on: plan, target.store) {
        case .same: return true
        case .goesOn:
            if !quiet { Output.message(text.goesOn(reference.digest)) }
            return true
        case .alreadyApplied(let run):
            say(text.alreadyApplied(run, hasMore: plan.hasChanges))
            return false
        case .stale(let stale):
            try refuse(plan)
            throw CommandFailure(text.stale(stale), exit: .stalePlan)
        }
    }

    /// Archives the plan and returns the worker with the digest to record in the run.
    ///
    /// The digest is the reviewed plan's, even if only the rest of that plan is applied.
    func keep(
        _ plan: Plan,
        _ reference: PlanReference?,
        _ target: PlanningTarget,
        _ worker: Worker
    ) async throws(CommandFailure) -> Worker {
        var worker = worker
        let hash = reference?.digest.hash ?? plan.digest.hash
        worker.digest = hash
        guard hash == plan.digest.hash else { return worker }
        try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.keep(ArchivedPlan(plan, by: worker))
        }
        return worker
    }
}

extension ArchivedPlan {
    /// Archives a plan that this worker made.
    init(_ plan: Plan, by worker: Worker) {
        self.init(
            digest: plan.digest.hash,
            serial: plan.serial,
            made: plan.now,
            user: worker.user,
            host: worker.host,
            content: plan.reviewed.content
        )
    }
}
