package import Approvals
import CampaignModel
package import JSON
import Time

/// The approvals of a plan, for programs.
package enum ApprovalJSON {
    package struct Document {
        let digest: String
        let count: ApprovalCount

        package init(digest: String, count: ApprovalCount) {
            self.digest = digest
            self.count = count
        }
    }

    package static func text(of document: Document) -> String {
        JSONValue.object(shape.json(of: document)).prettyText + "\n"
    }

    package static let shape = JSONShape<Document>(
        "The approvals of a plan.",
        [
            .required("format_version", .integer, about: "Version of this object.") { _ in 1 },
            .required("digest", .text, about: "Digest of the plan.") { $0.digest },
            .required("need", .count, about: "Number of signers who must approve.") {
                $0.count.need
            },
            .required("approved", .flag, about: "Whether enough signers approve.") {
                $0.count.isEnough
            },
            .required(
                "signers",
                .list(of: .object(signer)),
                about: "Signers who count, each with a different key."
            ) { $0.count.signers },
            .required(
                "approvals",
                .list(of: .object(approval)),
                about: "All approvals that were found, in their order."
            ) { $0.count.approvals },
        ]
    )

    private static let signer = JSONShape<ApprovalCount.Signer>(
        "Signer",
        [
            .required("principal", .text, about: "Signer.") { $0.principal },
            .required("key", .text, about: "Fingerprint of the key.") { $0.key },
        ]
    )

    private static let approval = JSONShape<JudgedApproval>(
        "Approval",
        [
            .required("principal", .nullable(.text), about: "Signer; null if it is unreadable.") {
                $0.principal
            },
            .required("key", .nullable(.text), about: "Fingerprint; null if it is unreadable.") {
                $0.key
            },
            .required("expires", .nullable(.moment), about: "When the approval ends.") {
                $0.expires
            },
            .required(
                "refusal",
                .nullable(.text),
                about: "Why it does not count; null if it does."
            ) { $0.refusal?.name },
        ]
    )
}
