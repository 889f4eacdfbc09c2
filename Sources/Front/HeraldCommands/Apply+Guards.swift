import CampaignModel
import Planning
import Presentation
import State
import Time

/// What stands between a plan and its being carried out.
extension Apply {
    /// The target as this command's options narrow it, with what guards need to know of the run.
    func guarded(_ target: PlanningTarget) throws(CommandFailure) -> PlanningTarget {
        var target = target
        target.selection = try selection.selection(of: target, in: options.directory)
        target.guards.bypassed = Set(guards.bypasses)
        guard !dryRun else { return target }
        target.guards.application = GuardedApplication(
            isReviewed: expect != nil,
            isConfirmable: expect != nil || canAsk && !guards.bypasses.contains(.protected)
        )
        return target
    }

    /// Where something would be recorded before the plan is shown (what a crash left, what people
    /// asked to resolve, who left by himself), guards are asked first.
    func refuseBeforeSettling(
        _ target: PlanningTarget,
        at now: Instant
    ) throws(CommandFailure) {
        let (last, resolutions) = try stating { () throws(StateStoreError) in
            (try target.store.runs(limit: 1).first, try target.store.requestedResolutions())
        }
        guard refresh || last?.status == .running || !resolutions.isEmpty else { return }
        try refuse(try target.plan(at: now))
    }

    /// Says what is left out and what is refused, and which guards were switched off for nothing.
    ///
    /// `isShown`: whether the plan was written, which says itself what is left out.
    func judge(_ plan: Plan, isShown: Bool) throws(CommandFailure) {
        if !isShown { selection.show(plan) }
        try refuse(plan)
        warnOfIdleBypasses(plan)
    }

    /// Every refusal with its way out; nothing was sent or recorded.
    func refuse(_ plan: Plan) throws(CommandFailure) {
        let refusals = plan.refusals
        guard !refusals.isEmpty else { return }
        Output.message(GuardTextView(style: options.errorStyle).renderRefusals(plan))
        throw CommandFailure(
            "refused by \(refusals.count.counting("guard")), so nothing was sent or recorded",
            exit: .refusedByGuard
        )
    }

    /// Whoever switches a guard off should know what for.
    private func warnOfIdleBypasses(_ plan: Plan) {
        let needed = Set(
            plan.guards.compactMap { outcome -> Guard? in
                if case .bypassed = outcome.verdict { outcome.guard } else { nil }
            }
        )
        for idle in guards.bypassed where !needed.contains(idle) {
            let word = options.errorStyle.paint("warning", .attention)
            Output.message("\(word): \(idle.option) was not needed\n")
        }
    }

    func confirm(_ target: PlanningTarget) throws(CommandFailure) {
        switch confirmation(of: target) {
        case .given: return
        case .asksYes:
            Output.message("Apply this to \(target.environment.id)? Enter `yes` to continue: ")
            try take("yes")
        case .asksName:
            Output.message("\(target.environment.id) is protected. Type its name to apply this: ")
            try take(target.environment.id.rawValue)
        case .impossible:
            throw CommandFailure.unconfirmed(
                noInput: noInput,
                help: "give --yes to apply without confirmation"
            )
        }
    }

    private func take(_ answer: String) throws(CommandFailure) {
        guard readLine() == answer else {
            throw CommandFailure("not applied", help: nil, exit: .error)
        }
    }

    private var canAsk: Bool { !noInput && Surroundings.isInputTerminal }

    private func confirmation(of target: PlanningTarget) -> ApplyConfirmation {
        ApplyConfirmation(
            isProtected: target.environment.settings.isProtected
                && !guards.bypasses.contains(.protected),
            isReviewed: expect != nil,
            saysYes: yes,
            canAsk: canAsk
        )
    }
}
