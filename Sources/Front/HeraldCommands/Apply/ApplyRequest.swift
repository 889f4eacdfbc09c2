import CampaignModel
import Planning
import Presentation
import State
import Time

/// The input of one `herald apply`: its arguments, and everything that they name.
struct ApplyRequest {
    let arguments: ApplyCommand
    let session: Session
    let target: PlanningTarget
    /// The reviewed plan of `--expect`.
    let reference: PlanReference?
    /// The events of `--json`.
    let journal: ApplyJournal?
    /// The time that the plan is made for.
    let now: Instant

    /// Loads and checks the project, and opens the state.
    init(_ arguments: ApplyCommand, journal: ApplyJournal?) async throws(CommandFailure) {
        self.arguments = arguments
        self.journal = journal
        reference = try arguments.expect.map(PlanReference.init)
        session = try Session(arguments.options)
        target = try await arguments.guarded(
            try await session.target(
                arguments.environment,
                storesLists: !arguments.dryRun,
                for: .planning
            )
        )
        try target.refuseUnread()
        now = session.clock.now()
    }

    /// Implements `--refresh`.
    var refreshing: MembershipRefreshing {
        MembershipRefreshing(
            target: target,
            session: session,
            isQuiet: arguments.quiet,
            isVerbose: arguments.verbosity.verbose,
            events: journal?.events,
            open: arguments.openLimit(in: target.environment)
        )
    }

    /// Returns whether the plan may be applied, given the reviewed plan that `--expect` names.
    ///
    /// Returns false, and reports it, if the reviewed plan was already applied.
    ///
    /// - Throws: A failure if the plan differs from the reviewed plan.
    func isToBeDone(_ plan: Plan) async throws(CommandFailure) -> Bool {
        guard let reference else { return true }
        let text = ReviewWording(hint: target.hint)
        switch try await reference.verdict(on: plan, in: target.store) {
        case .same: return true
        case .goesOn:
            if !arguments.quiet { Output.message(text.goesOn(reference.digest)) }
            return true
        case .alreadyApplied(let run):
            say(text.alreadyApplied(run, hasMore: plan.hasChanges))
            return false
        case .stale(let stale):
            try refuse(plan)
            throw CommandFailure(text.stale(stale), exit: .stalePlan)
        }
    }

    /// Prints every refusal of the guards with its fix and throws.
    ///
    /// Nothing was sent or recorded before.
    func refuse(_ plan: Plan) throws(CommandFailure) {
        let refusals = plan.refusals
        guard !refusals.isEmpty else { return }
        let style = session.options.errorStyle
        Output.message(GuardTextView(style: style).renderRefusals(plan))
        throw CommandFailure(.refusedByGuards(refusals.count), exit: .refusedByGuard)
    }
}

extension PlanningTarget {
    /// - Throws: A failure if a source was not read, because a part of the plan would be missing.
    fileprivate func refuseUnread() throws(CommandFailure) {
        let unread = Planner.unreadSources(
            in: project,
            surveys: checked.surveys,
            selection: selection
        )
        guard unread.isEmpty else {
            throw CommandFailure(
                .untrustedSources(unread.map(\.source.rawValue)),
                exit: .refusedByGuard
            )
        }
    }
}

extension ApplyCommand {
    /// Applies the selection and guard options to the target.
    fileprivate func guarded(
        _ target: PlanningTarget
    ) async throws(CommandFailure) -> PlanningTarget {
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

    /// Whether a user is there to confirm.
    var canAsk: Bool { !noInput && Input.isTerminal }
}
