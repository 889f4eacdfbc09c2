package import CampaignModel
package import SSHSignatures
package import Time

/// Judges approvals by the rules in force.
package struct ApprovalReview: Sendable {
    private let policy: ApprovalPolicy
    private let signers: AllowedSigners
    private let revoked: RevokedKeys
    private let subject: ApprovalSubject
    /// E-mail addresses of the authors, who cannot approve; empty if they can.
    private let authors: Set<String>
    private let now: Instant

    /// What an approval must be about, and when.
    package struct Occasion: Sendable {
        let subject: ApprovalSubject
        let authors: Set<String>
        let now: Instant

        package init(subject: ApprovalSubject, authors: Set<String>, now: Instant) {
            self.subject = subject
            self.authors = authors
            self.now = now
        }
    }

    /// Reads the files of the rules in force.
    ///
    /// `alsoRevoked`: the text of the current file of revoked keys, because a revocation counts at
    /// once.
    package init(
        _ policy: ApprovalPolicy,
        alsoRevoked: String?,
        on occasion: Occasion
    ) throws(SignersFileError) {
        self.policy = policy
        signers = try AllowedSigners(policy.signers)
        var revoked = RevokedKeys.none
        for text in [policy.revoked, alsoRevoked].compactMap(\.self) {
            revoked = revoked.union(try RevokedKeys(text))
        }
        self.revoked = revoked
        subject = occasion.subject
        authors = policy.excludesAuthors ? Set(occasion.authors.map { $0.lowercased() }) : []
        now = occasion.now
    }

    package func count(_ approvals: [SignedApproval?]) -> ApprovalCount {
        ApprovalCount(need: policy.need, approvals: approvals.map(judge))
    }

    private func judge(_ approval: SignedApproval?) -> JudgedApproval {
        guard let approval else {
            return JudgedApproval(principal: nil, key: nil, expires: nil, refusal: .unreadable)
        }
        let statement = approval.statement
        var key: String?
        var refusal: ApprovalRefusal?
        do throws(SSHSignatureError) {
            let signature = try SSHSignature(armored: approval.signature)
            key = signature.key.fingerprint
            refusal = refusalOfSubject(statement.subject)
            if refusal == nil {
                try signature.verify(
                    Array(statement.text.utf8),
                    namespace: ApprovalStatement.namespace
                )
                refusal =
                    refusalOfSigner(signature.key, as: statement.principal)
                    ?? refusalOfTime(statement.expires)
            }
        } catch {
            refusal = .signature(error)
        }
        return JudgedApproval(
            principal: statement.principal,
            key: key,
            expires: statement.expires,
            refusal: refusal
        )
    }

    private func refusalOfSubject(_ found: ApprovalSubject) -> ApprovalRefusal? {
        if found.digest != subject.digest { return .otherPlan(digest: found.digest) }
        if found.lineage != subject.lineage { return .otherState }
        if found.environment != subject.environment {
            return .otherEnvironment(found.environment)
        }
        return nil
    }

    private func refusalOfTime(_ expires: Instant) -> ApprovalRefusal? {
        if expires <= now { return .expired(at: expires) }
        let latest = now.advanced(bySeconds: policy.valid)
        return expires > latest ? .tooLong(until: expires, latest: latest) : nil
    }

    private func refusalOfSigner(
        _ key: SSHPublicKey,
        as principal: String
    ) -> ApprovalRefusal? {
        if revoked.contains(key) { return .revoked }
        let verdict = signers.verdict(
            on: key,
            of: principal,
            namespace: ApprovalStatement.namespace,
            at: now.secondsSince1970
        )
        switch verdict {
        case .allowed: break
        case .unlisted: return .unlisted
        case .otherNamespace: return .otherNamespace
        case .notYetValid(let from): return .keyNotYetValid(from: Instant(secondsSince1970: from))
        case .expired(let at): return .keyExpired(at: Instant(secondsSince1970: at))
        }
        // A key that may sign for an author is the author's, whatever name the approval gives.
        let author = authors.sorted().first {
            principal.lowercased() == $0 || signers.lists(key, asAuthor: $0)
        }
        return author.map(ApprovalRefusal.author)
    }
}
