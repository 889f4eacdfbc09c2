import Approvals
import CampaignModel
import Planning
import Presentation
import SSHSignatures
import State
import Time

/// The approvals of a plan, and what they are judged by.
struct ApprovalEvidence {
    let session: Session
    let plan: PlanReference
    let options: ApprovalOptions
    let store: any StateStore
    let environment: EnvironmentID
    /// The rules that the files declare: a key that they revoke does not count.
    let declared: ApprovalPolicy?

    /// Judges the approvals by the rules in force.
    func count(
        by policy: ApprovalPolicy,
        at now: Instant
    ) async throws(CommandFailure) -> ApprovalCount {
        let (identity, runs) = try await mapStateErrors { () async throws(StateStoreError) in
            (try await store.identity(), try await store.runs(limit: Self.runs))
        }
        let occasion = ApprovalReview.Occasion(
            subject: ApprovalSubject(
                digest: plan.digest.description,
                lineage: identity.lineage.text,
                environment: environment.rawValue
            ),
            authors: policy.excludesAuthors ? try authors(since: runs) : [],
            now: now
        )
        let found = try ApprovalFiles(of: plan, in: session.options.directory)
            .approvals(at: options.approvals)
        do throws(SignersFileError) {
            return try ApprovalReview(policy, alsoRevoked: declared?.revoked, on: occasion)
                .count(found)
        } catch {
            throw CommandFailure(.unreadableRecordedSigners(error))
        }
    }

    /// The number of newest runs among which the last apply is searched.
    private static let runs = 1_000

    /// Returns the addresses of the commits since the last apply, and of those that the user names.
    ///
    /// - Throws: A failure if they are not known: no approval may count then.
    private func authors(since runs: [RunRecord]) throws(CommandFailure) -> Set<String> {
        let applied = runs.first {
            $0.worker.command == "herald apply" && $0.worker.digest != nil
        }?.worker.origin.commit
        let known = applied.flatMap {
            GitWorkTree.authors(
                of: session.options.directory,
                since: $0,
                variables: session.context.variables
            )
        }
        guard known != nil || !options.author.isEmpty else {
            throw CommandFailure(.unknownAuthors, exit: .refusedByGuard)
        }
        return Set(options.author).union(known ?? [])
    }
}
