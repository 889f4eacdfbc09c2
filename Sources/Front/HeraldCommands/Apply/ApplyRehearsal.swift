import Applying
import ArgumentParser
import Diagnostics
import Memberships
import Planning
import Presentation

/// Performs `--dry-run`: shows the plan and validates its messages with FCM.
///
/// Changes no state.
struct ApplyRehearsal {
    private let request: ApplyRequest

    init(_ request: ApplyRequest) {
        self.request = request
    }

    func perform() async throws {
        let seen =
            request.arguments.refresh
            ? try await request.refreshing.perform(recordingBy: nil) : RefreshReport()
        let plan = try await request.session.plan(
            request.target,
            at: request.now,
            findings: seen.findings
        )
        request.journal?.events.show(plan)
        guard try await request.isToBeDone(plan) else { return }
        if !request.arguments.quiet { request.show(plan) }
        try await validate()
        Output.message(ApplyNoticeWording.rehearsed)
    }

    private func validate() async throws {
        let target = request.target
        let validation = OnlineValidation(
            session: request.session,
            project: target.project,
            declarations: target.checked.declarations,
            allowsAnyServer: target.guards.bypassed.contains(.endpoint),
            lists: target.checked.lists,
            fingerprinter: target.checked.fingerprinter,
            isVerbose: request.arguments.verbosity.verbose
        )
        let log = try await validation.findings(target.environment)
        request.session.show(target.checked.with(log))
        guard !log.hasErrors else { throw ExitReason.invalidFiles.code }
    }
}
