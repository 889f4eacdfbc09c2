import Testing
import Time

@testable import Approvals

struct ApprovalTests {
    private let statement = ApprovalStatement(
        subject: ApprovalSubject(
            digest: String(repeating: "a", count: 40) + "@12",
            lineage: "7c1d",
            environment: "production"
        ),
        principal: "ana@example.com",
        expires: Instant(secondsSince1970: 1_800_000_000)
    )

    @Test func `reads approvals among other text, with the line ends of comments`() {
        let approval = SignedApproval(statement: statement, signature: "signature\n")
        let comment = "LGTM\n```\n\(approval.text)```\nSent from a phone\n"
        for text in [comment, comment.split(separator: "\n").joined(separator: "\r\n") + "\r\n"] {
            #expect(SignedApproval.approvals(in: text) == [approval])
        }
        let cut = approval.text.split(separator: "\n").dropLast(3).joined(separator: "\n")
        #expect(SignedApproval.approvals(in: cut + "\n" + approval.text) == [nil, approval])
    }

    @Test func `refuses a statement that is written differently`() {
        let text = SignedApproval(statement: statement, signature: "s\n").text
        let changes = [
            ("approval 1\n", "approval 2\n"), ("Z\n", "+00:00\n"), ("lineage", "Lineage"),
        ]
        for (old, new) in changes {
            let changed = text.split(separator: old, maxSplits: 1).joined(separator: new)
            #expect(SignedApproval.approvals(in: changed) == [nil])
        }
    }

    @Test(arguments: [
        ([("a", "1"), ("b", "2")], 2), ([("a", "1"), ("b", "1")], 1),
        ([("a", "1"), ("a", "2")], 1), ([("a", "1"), ("b", "1"), ("a", "2")], 2), ([], 0),
    ])
    func `counts signers with different principals and keys`(
        pairs: [(String, String)],
        count: Int
    ) {
        let approvals = pairs.map { pair in
            JudgedApproval(principal: pair.0, key: pair.1, expires: nil, refusal: nil)
        }
        let counted = ApprovalCount(need: 2, approvals: approvals)
        #expect(counted.signers.count == count)
        #expect(counted.isEnough == (count >= 2))
    }

    @Test func `does not count refused approvals`() {
        let refused = JudgedApproval(principal: "a", key: "1", expires: nil, refusal: .revoked)
        #expect(ApprovalCount(need: 1, approvals: [refused]).signers.isEmpty)
    }
}
