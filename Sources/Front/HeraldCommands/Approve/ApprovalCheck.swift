import Approvals
import CampaignModel
import Planning
import Presentation
import State
import Time

/// Shows and counts the approvals of a plan.
struct ApprovalCheck {
    private let arguments: ApproveCommand
    private let plan: PlanReference
    private let session: Session

    init(_ arguments: ApproveCommand, of plan: PlanReference, in session: Session) {
        self.arguments = arguments
        self.plan = plan
        self.session = session
    }

    func perform() async throws {
        let loaded = session.loadToPlan(arguments.environment)
        let (_, environment) = try session.chosen(arguments.environment, of: loaded)
        let store = try await session.openStore(environment)
        let guards = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.guards()
        }
        guard let policy = guards.approvals else {
            throw CommandFailure(.noApprovalRules(of: environment.id.rawValue))
        }
        let evidence = ApprovalEvidence(
            session: session,
            plan: plan,
            options: arguments.evidence,
            store: store,
            environment: environment.id,
            declared: try session.approvalPolicy(of: environment)
        )
        let count = try await evidence.count(by: policy, at: session.clock.now())
        switch arguments.output.format {
        case .json:
            let document = ApprovalJSON.Document(digest: plan.digest.description, count: count)
            Output.data(ApprovalJSON.text(of: document))
        case .text:
            session.options.show(ApprovalTextView(style: session.options.outputStyle).render(count))
        }
        if !count.isEnough { throw ExitReason.refusedByGuard.code }
    }
}
