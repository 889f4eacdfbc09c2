import CampaignModel
import Planning
import Presentation
import State

extension Apply {
    /// Whether a plan may be carried out, as far as it was reviewed.
    ///
    /// False where it was carried out already, which is said.
    ///
    /// - Throws: a failure where it is another plan.
    func isToBeDone(
        _ plan: Plan,
        _ reference: PlanReference?,
        _ target: PlanningTarget
    ) throws(CommandFailure) -> Bool {
        guard let reference else { return true }
        let text = ReviewText(hint: target.hint)
        switch try reference.verdict(on: plan, target.store) {
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

    /// Keeps the plan, and gives the worker the digest under which the run is recorded: that of the
    /// reviewed plan, also where only the rest of it is carried out.
    func keep(
        _ plan: Plan,
        _ reference: PlanReference?,
        _ target: PlanningTarget,
        _ worker: Worker
    ) throws(CommandFailure) -> Worker {
        var worker = worker
        let hash = reference?.digest.hash ?? plan.digest.hash
        worker.digest = hash
        guard hash == plan.digest.hash else { return worker }
        try stating { () throws(StateStoreError) in
            try target.store.keep(KeptPlan(plan, by: worker))
        }
        return worker
    }
}

extension KeptPlan {
    /// A plan that this worker made.
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
