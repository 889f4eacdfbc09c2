import Applying
import Planning
import Presentation
import State

/// One apply, from the settled state to a result.
///
/// Guards are checked before anything is recorded, and again under the lock.
struct ApplyRun {
    let request: ApplyRequest
    /// The process that the state records.
    let worker: Worker

    init(_ request: ApplyRequest) async throws(CommandFailure) {
        try await request.target.refuseUnnamedState()
        self.request = request
        worker = Worker.this(
            command: "herald apply",
            since: request.now,
            origin: .of(
                request.session.options.directory,
                variables: request.session.context.variables
            ),
            bypasses: request.arguments.guards.bypassed.map(\.option)
        )
    }

    var arguments: ApplyCommand { request.arguments }
    var session: Session { request.session }
    var target: PlanningTarget { request.target }

    /// Settles what earlier runs left, makes the plan and applies it.
    func perform() async throws(CommandFailure) -> ApplyResult {
        try await refuseBeforeSettling()
        let cutOff = try await settle()
        if arguments.refresh { try await refreshMemberships() }
        let basis = try await targetWithState()
        let plan = try await session.plan(basis, at: request.now)
        request.journal?.events.show(plan)
        let end = try await end(of: plan, basedOn: basis)
        return ApplyResult(plan: plan, cutOff: cutOff, end: end, isInterrupted: false)
    }

    private func end(
        of plan: Plan,
        basedOn basis: PlanningTarget
    ) async throws(CommandFailure) -> ApplyResult.End {
        guard try await request.isToBeDone(plan) else {
            // The run that applied the plan may have left a correction.
            guard !plan.hasChanges else { return .nothingToDo }
            return try await performRequests(besides: plan).map(ApplyResult.End.performed)
                ?? .nothingToDo
        }
        try judge(plan)
        // Asked again under the lock, because the rules in force may change until then.
        _ = try await request.approvals(of: plan)
        guard plan.hasChanges else {
            try await keepChangedEnvironment(besides: basis.applied?.environment)
            try await compact()
            return try await performRequests(besides: plan).map(ApplyResult.End.performed)
                ?? .nothingToDo
        }
        try confirm()
        let report = try await apply(plan, basedOn: basis)
        request.journal?.keep(report)
        if report?.error == nil { try await compact() }
        return report.map(ApplyResult.End.performed) ?? .overtaken
    }

    /// Shows the plan, its refusals, and guards that were bypassed without need.
    private func judge(_ plan: Plan) throws(CommandFailure) {
        let isShown = !arguments.quiet || (!arguments.yes && request.reference == nil)
        // The printed plan lists the exclusions itself.
        if isShown { request.show(plan) } else { arguments.selection.show(plan) }
        try request.refuse(plan)
        request.warnOfIdleBypasses(plan)
    }

    /// Performs work as the only writer of the state.
    func locked<Value>(
        _ work: () async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        try await HeraldCommands.locked(
            target.store,
            for: worker,
            waiting: arguments.lockOptions.timeout,
            work: work
        )
    }
}
