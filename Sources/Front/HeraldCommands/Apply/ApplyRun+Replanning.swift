import Applying
import CampaignModel
import Planning
import Presentation
import State
import Time

extension ApplyRun {
    /// Plans again under the lock.
    ///
    /// An interrupted run can leave unknown outcomes, and occurrences can become late, after the
    /// plan was shown. Both make the shown plan stale. If the state has not changed, the shown plan
    /// is the current one.
    ///
    /// `basis`: the target with the state that the shown plan was made from.
    func planAgain(
        _ shown: Plan,
        basedOn basis: PlanningTarget
    ) async throws(CommandFailure) -> Plan {
        let cutOff = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.recorder.settleAfterCrash(by: worker)
        }
        request.say(request.view.renderCutOff(cutOff))
        // No other process writes from here on: everything below compares with what is read now.
        let isUnchanged = try await isUnchanged(since: basis) && cutOff.isEmpty
        let current = isUnchanged ? basis : try await targetWithState()
        let now = session.clock.now()
        // A reviewed plan stays valid as time passes.
        if request.reference != nil, cutOff.isEmpty {
            return try await session.plan(current, at: now)
        }
        let plan = isUnchanged ? shown : try await session.plan(current, at: shown.now)
        guard cutOff.isEmpty, plan.isSame(as: shown),
            try await isTimely(shown, in: current, at: now)
        else {
            try request.refuse(plan)
            throw CommandFailure(.stateChanged, exit: .stalePlan)
        }
        return plan
    }

    private func isUnchanged(since basis: PlanningTarget) async throws(CommandFailure) -> Bool {
        guard let version = basis.applied?.version else { return false }
        return try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.version() == version
        }
    }

    /// Reads the state, and returns the target with its contents.
    func targetWithState() async throws(CommandFailure) -> PlanningTarget {
        target.reading(
            try await mapStateErrors { () async throws(StateStoreError) in
                try await target.store.appliedState()
            }
        )
    }

    /// Whether every send of the shown plan is still due; no other campaign is planned.
    private func isTimely(
        _ shown: Plan,
        in target: PlanningTarget,
        at now: Instant
    ) async throws(CommandFailure) -> Bool {
        guard now != shown.now else { return true }
        let sends = Selection.Part(campaigns: Set(shown.sends.map(\.occurrence.campaign)))
        let selected = target.selecting(Selection(only: sends, except: Selection.Part()))
        return try await session.plan(selected, at: now).hasSends(of: shown)
    }
}

extension Plan {
    fileprivate func isSame(as shown: Plan) -> Bool {
        memberships == shown.memberships && campaigns == shown.campaigns
    }

    fileprivate func hasSends(of shown: Plan) -> Bool {
        Set(shown.sends.map(\.occurrence)).isSubset(of: sends.map(\.occurrence))
    }
}
