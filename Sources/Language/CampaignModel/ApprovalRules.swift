/// The signed approvals that an apply needs.
package struct ApprovalRules: Hashable, Sendable {
    /// The number of signers who must approve.
    package let need: Int
    /// Approvals are needed above this reach; nil if always.
    package let over: Int?
    /// Path of the file of allowed signers.
    package let signers: String
    /// Path of the file of revoked keys; nil if there is none.
    package let revoked: String?
    /// Whether the authors of the changes cannot approve them.
    package let excludesAuthors: Bool
    /// The longest time for which an approval counts, in seconds.
    package let valid: Int64

    package static let needRange: ClosedRange<Int64> = 1...20
    /// In seconds.
    package static let validRange: ClosedRange<Int64> = 60...2_592_000
    /// One day.
    package static let standardValid: Int64 = 86_400

    package init(
        need: Int,
        over: Int?,
        signers: String,
        revoked: String?,
        excludesAuthors: Bool,
        valid: Int64 = Self.standardValid
    ) {
        self.need = need
        self.over = over
        self.signers = signers
        self.revoked = revoked
        self.excludesAuthors = excludesAuthors
        self.valid = valid
    }
}

/// The rules of approvals with the contents of their files, as a state has them in force.
///
/// The paths are left out: moving a file changes nothing.
package struct ApprovalPolicy: Hashable, Sendable {
    package let need: Int
    package let over: Int?
    package let excludesAuthors: Bool
    /// In seconds.
    package let valid: Int64
    /// The text of the file of allowed signers.
    package let signers: String
    /// The text of the file of revoked keys; nil if there is none.
    package let revoked: String?

    package init(
        need: Int,
        over: Int?,
        excludesAuthors: Bool,
        valid: Int64,
        signers: String,
        revoked: String?
    ) {
        self.need = need
        self.over = over
        self.excludesAuthors = excludesAuthors
        self.valid = valid
        self.signers = signers
        self.revoked = revoked
    }

    package init(_ rules: ApprovalRules, signers: String, revoked: String?) {
        self.init(
            need: rules.need,
            over: rules.over,
            excludesAuthors: rules.excludesAuthors,
            valid: rules.valid,
            signers: signers,
            revoked: revoked
        )
    }

    /// The largest file, in bytes.
    package static let fileLimit = 1 << 20
}
