package import CampaignModel
import Diagnostics
import JSON
import YAMLSyntax

/// The signed approvals that an apply needs.
package struct ApprovalsDeclaration: Sendable {
    package var need: Spanned<Int64>?
    package var over: Spanned<Int64>?
    package var signers: Spanned<String>?
    package var revoked: Spanned<String>?
    package var excludesAuthors: Spanned<Bool>?
    package var valid: Spanned<Int64>?

    package static let reader = MappingReader<ApprovalsDeclaration>(
        "`approvals`",
        fields: [
            .required(
                "need",
                at: \.need,
                as: .integer(ApprovalRules.needRange),
                about: "Number of signers who must approve.",
                examples: [2]
            ),
            .optional(
                "over",
                at: \.over,
                as: .integer(0...1_000_000_000_000),
                about: "Approvals are needed above this reach of a plan's sends (default: always).",
                examples: [50_000]
            ),
            .required(
                "signers",
                at: \.signers,
                as: .text,
                about: "File of allowed signers, in the format of `ssh-keygen -Y verify`.",
                examples: ["approvers/allowed_signers"]
            ),
            .optional(
                "revoked",
                at: \.revoked,
                as: .text,
                about: "File of revoked public keys, one per line.",
                examples: ["approvers/revoked_keys"]
            ),
            .optional(
                "not_author",
                at: \.excludesAuthors,
                as: .flag,
                about: "Do not count approvals of authors of the changes (default: false)."
            ),
            .optional(
                "valid",
                at: \.valid,
                as: .approvalValidity,
                about: "How long an approval counts, from `1m` to `30d` (default: 24h).",
                examples: ["24h"]
            ),
        ]
    )
}

extension ApprovalsDeclaration {
    /// Nil if a required key is missing.
    package var rules: ApprovalRules? {
        guard let need = need?.value, let signers = signers?.value else { return nil }
        return ApprovalRules(
            need: Int(need),
            over: over.map { Int($0.value) },
            signers: signers,
            revoked: revoked?.value,
            excludesAuthors: excludesAuthors?.value ?? false,
            valid: valid?.value ?? ApprovalRules.standardValid
        )
    }
}

extension ValueReader where Value == Int64 {
    /// Seconds for which an approval counts.
    fileprivate static let approvalValidity = ValueReader(duration.schema) { node, log in
        guard let seconds = duration.read(node, &log) else { return nil }
        guard ApprovalRules.validRange.contains(seconds) else {
            log.report(
                Diagnostic(
                    rule: .numberOutOfRange,
                    message: "a validity of \(node.scalar?.written ?? "") is out of range",
                    span: node.span,
                    label: "should be from 1m to 30d",
                    help: ["write `24h`"]
                )
            )
            return nil
        }
        return seconds
    }
}
