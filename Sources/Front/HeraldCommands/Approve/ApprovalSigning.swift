import Approvals
import CampaignModel
import Planning
import Presentation
import SSHSignatures
import State
import SystemIO
import Time

/// Signs a plan for one signer.
///
/// Needs the state only if neither the plan nor herald.yaml names its lineage.
struct ApprovalSigning {
    private let arguments: ApproveCommand
    private let plan: PlanReference
    private let session: Session

    init(_ arguments: ApproveCommand, of plan: PlanReference, in session: Session) {
        self.arguments = arguments
        self.plan = plan
        self.session = session
    }

    func perform() async throws(CommandFailure) {
        guard plan.digest.serial != nil else {
            throw CommandFailure(.approvalsNeedSerial, exit: .usage)
        }
        let environment = try environment()
        guard let policy = try session.approvalPolicy(of: environment) else {
            throw CommandFailure(.noApprovalRules(of: environment.id.rawValue))
        }
        let key = try SigningKey(arguments.key, variables: session.context.variables)
        let principal = try principal(of: key.publicKey, among: policy)
        let seconds = arguments.validFor.map { Int64($0.seconds) } ?? policy.valid
        let statement = ApprovalStatement(
            subject: ApprovalSubject(
                digest: plan.digest.description,
                lineage: try await lineage(of: environment),
                environment: environment.id.rawValue
            ),
            principal: principal,
            expires: session.clock.now().advanced(bySeconds: seconds)
        )
        try write(try sign(statement, with: key), of: principal)
    }

    /// The environment as the files have it, without its variables.
    private func environment() throws(CommandFailure) -> CampaignModel.Environment {
        let loaded = arguments.environment.id.map { session.load(viewing: $0) } ?? session.load()
        let environment = try session.chosen(arguments.environment, of: loaded).1
        guard plan.head.map({ $0.environment == environment.id.rawValue }) ?? true else {
            throw CommandFailure(.planOfOtherEnvironment, exit: .usage)
        }
        return environment
    }

    private func lineage(
        of environment: CampaignModel.Environment
    ) async throws(CommandFailure) -> String {
        if let known = plan.head?.lineage ?? environment.settings.state.lineage { return known }
        let loaded = session.loadToPlan(arguments.environment)
        let store = try await session.openStore(
            try session.chosen(arguments.environment, of: loaded).1
        )
        return try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity().lineage.text
        }
    }

    /// The principal that the user names, or that the signers list for the key.
    private func principal(
        of key: SSHPublicKey?,
        among policy: ApprovalPolicy
    ) throws(CommandFailure) -> String {
        guard let signers = try? AllowedSigners(policy.signers) else {
            throw CommandFailure(.noSigningKey)
        }
        if let named = arguments.principal {
            guard (1...250).contains(named.unicodeScalars.count),
                named.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value != 127 })
            else { throw CommandFailure(.invalidPrincipal(named), exit: .usage) }
            return named
        }
        guard let principal = key.flatMap(signers.onlyPrincipal) else {
            throw CommandFailure(.unknownPrincipal(key?.fingerprint ?? ""), exit: .usage)
        }
        return principal
    }

    /// Signs, and checks the signature as an apply does.
    private func sign(
        _ statement: ApprovalStatement,
        with key: SigningKey
    ) throws(CommandFailure) -> SignedApproval {
        let text = try key.sign(statement.text, namespace: ApprovalStatement.namespace)
        do throws(SSHSignatureError) {
            try SSHSignature(armored: text).verify(
                Array(statement.text.utf8),
                namespace: ApprovalStatement.namespace
            )
        } catch {
            throw CommandFailure(.notSigned(because: "the signature does not match the text"))
        }
        return SignedApproval(statement: statement, signature: text)
    }

    private func write(
        _ approval: SignedApproval,
        of principal: String
    ) throws(CommandFailure) {
        let files = ApprovalFiles(of: plan, in: session.options.directory)
        let path = arguments.out ?? files.path(for: principal)
        do throws(SystemError) {
            if arguments.out == nil { try files.createFolder() }
            try AtomicFile(path).write(Array(approval.text.utf8), permissions: 0o644)
        } catch {
            throw CommandFailure(.unwritable(TextStyle.safe(path), because: error.reason))
        }
        Output.data(ApprovalCommentView().render(approval))
        session.options.tell(ApprovalCommentView().written(to: path))
    }
}
