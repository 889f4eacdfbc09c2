import CampaignModel
import Planning
import Presentation
import State
import Time

/// The checks and the confirmation between a plan and its execution.
extension Apply {
    /// Applies this command's selection and guard options to the target.
    func guarded(_ target: PlanningTarget) async throws(CommandFailure) -> PlanningTarget {
        let application = GuardedApplication(
            isReviewed: expect != nil,
            isConfirmable: expect != nil || canAsk && !guards.bypasses.contains(.protected)
        )
        let basis = target.guards.bypassing(
            Set(guards.bypasses),
            for: dryRun ? nil : application
        )
        return target.selecting(try await selection.selection(of: target, in: options.directory))
            .guarded(by: basis)
    }

    /// Checks the guards before anything is recorded.
    ///
    /// Needed if `apply` records something before it shows the plan: outcomes after a crash,
    /// requested resolutions, or opted-out registrations.
    func refuseBeforeSettling(
        _ target: PlanningTarget,
        at now: Instant
    ) async throws(CommandFailure) {
        let (last, resolutions) = try await mapStateErrors { () async throws(StateStoreError) in
            (
                try await target.store.runs(limit: 1).first,
                try await target.store.requestedResolutions()
            )
        }
        guard refresh || last?.status == .running || !resolutions.isEmpty else { return }
        try refuse(try await target.plan(at: now))
    }

    /// Reports exclusions, refusals, and guards that were bypassed without need.
    ///
    /// `isShown`: whether the plan was printed. The printed plan lists the exclusions itself.
    func judge(_ plan: Plan, isShown: Bool) throws(CommandFailure) {
        if !isShown { selection.show(plan) }
        try refuse(plan)
        warnOfIdleBypasses(plan)
    }

    /// Prints every refusal with its fix and throws.
    ///
    /// Nothing was sent or recorded before.
    func refuse(_ plan: Plan) throws(CommandFailure) {
        let refusals = plan.refusals
        guard !refusals.isEmpty else { return }
        Output.message(GuardTextView(style: options.errorStyle).renderRefusals(plan))
        throw CommandFailure(
            "refused by \(refusals.count.counting("guard")), so nothing was sent or recorded",
            exit: .refusedByGuard
        )
    }

    /// Warns about each bypassed guard that would have refused nothing.
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

    private var canAsk: Bool { !noInput && CommandContext.isInputTerminal }

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
