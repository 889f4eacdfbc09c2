import CampaignModel
import FCMWire
import FoundationEssentials
import JSON
import Planning
import Presentation
import State

/// The reviewed plan that `--expect` names by digest or by a `plan --out` file.
///
/// A file is only compared, never executed.
struct PlanReference {
    let digest: PlanDigest
    /// The path of the plan's file; nil if only the digest was given.
    let file: String?
    /// Nil if only the digest was given.
    private let reviewed: ReviewedPlan?

    init(_ text: String) throws(CommandFailure) {
        if let digest = PlanDigest(text) {
            self.digest = digest
            file = nil
            reviewed = nil
            return
        }
        guard FileManager.default.fileExists(atPath: text) else {
            throw CommandFailure(.noPlanReference(text), exit: .usage)
        }
        let plan = try PlanFile(reading: text)
        file = text
        digest = plan.digest
        reviewed = plan.reviewed
    }

    /// The target of the plan, if a file was given.
    var head: ReviewedPlan.Head? { reviewed?.head }

    /// Refuses a state that is older than the reviewed plan's state, because it lacks records of
    /// sends.
    func refuseRolledBack(_ target: PlanningTarget) async throws(CommandFailure) {
        let identity = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.identity()
        }
        if let reviewed, reviewed.head.lineage != identity.lineage.text { return }
        guard let serial = digest.serial, identity.serial < serial else { return }
        let text = ReviewWording(hint: target.hint)
        throw CommandFailure(text.rolledBack(digest, state: identity.serial))
    }

    func verdict(
        on plan: Plan,
        in store: any PlanArchive & HistoryStore
    ) async throws(CommandFailure) -> PlanVerdict {
        try await mapStateErrors { () async throws(StateStoreError) in
            let expectation = PlanExpectation(
                digest,
                reviewed: reviewed,
                kept: try await store.archivedPlan(digest.hash)
            )
            let runs = try await store.runs(limit: expectation.runCount(at: plan.serial))
            return try await expectation.verdict(
                on: plan,
                after: runs
            ) { hash async throws(StateStoreError) in
                let kept = try await store.archivedPlan(hash)
                return kept.flatMap { ReviewedPlan(content: $0.content) }?.isEmpty ?? false
            }
        }
    }
}
