package import SSHSignatures
package import Time

/// What an approval counts for.
package struct JudgedApproval: Hashable, Sendable {
    /// The signer that the approval names; nil if it cannot be read.
    package let principal: String?
    /// The fingerprint of the key; nil if the signature cannot be read.
    package let key: String?
    /// When the approval ends; nil if it cannot be read.
    package let expires: Instant?
    /// Nil if it counts.
    package let refusal: ApprovalRefusal?

    package var isValid: Bool { refusal == nil }
}

/// Why an approval does not count.
package enum ApprovalRefusal: Hashable, Sendable {
    /// It is not in the format of `herald approve`.
    case unreadable
    case otherPlan(digest: String)
    case otherState
    case otherEnvironment(String)
    case expired(at: Instant)
    /// It would count for longer than the rules allow.
    case tooLong(until: Instant, latest: Instant)
    case signature(SSHSignatureError)
    case revoked
    /// The file of signers does not list the key for this principal.
    case unlisted
    /// The key may sign in other namespaces only.
    case otherNamespace
    case keyNotYetValid(from: Instant)
    case keyExpired(at: Instant)
    /// The signer, or another principal of the same key, is an author of the changes.
    case author(String)

    /// A name that never changes.
    package var name: String {
        switch self {
        case .unreadable: "unreadable"
        case .otherPlan: "other-plan"
        case .otherState: "other-state"
        case .otherEnvironment: "other-environment"
        case .expired: "expired"
        case .tooLong: "too-long"
        case .signature(let error): error.name
        case .revoked: "revoked-key"
        case .unlisted: "unlisted-key"
        case .otherNamespace: "key-of-other-namespace"
        case .keyNotYetValid: "key-not-yet-valid"
        case .keyExpired: "key-expired"
        case .author: "author"
        }
    }
}

extension SSHSignatureError {
    fileprivate var name: String {
        switch self {
        case .malformed, .otherVersion, .otherHash: "unreadable-signature"
        case .key: "invalid-key"
        case .otherNamespace: "other-namespace"
        case .invalid: "invalid-signature"
        }
    }
}

/// The approvals of a plan, and whether they are enough.
package struct ApprovalCount: Hashable, Sendable {
    package let need: Int
    package let approvals: [JudgedApproval]
    /// The signers who count, each with a different key.
    package let signers: [Signer]

    package struct Signer: Hashable, Sendable {
        package let principal: String
        package let key: String

        package init(principal: String, key: String) {
            self.principal = principal
            self.key = key
        }
    }

    package init(need: Int, approvals: [JudgedApproval]) {
        self.need = need
        self.approvals = approvals
        signers = SignerMatching(approvals).signers
    }

    package var isEnough: Bool { signers.count >= need }
}
