/// The most signers with different principals and different keys.
///
/// A key that may sign for several principals is one signer, and so is a person with several keys.
struct SignerMatching {
    private(set) var signers: [ApprovalCount.Signer] = []

    init(_ approvals: [JudgedApproval]) {
        var keys: [String: [String]] = [:]
        for approval in approvals where approval.isValid {
            guard let principal = approval.principal, let key = approval.key else { continue }
            if keys[principal]?.contains(key) != true { keys[principal, default: []].append(key) }
        }
        var holders: [String: String] = [:]
        for principal in keys.keys.sorted() {
            var seen: Set<String> = []
            Self.assign(principal, among: keys, to: &holders, seen: &seen)
        }
        signers = holders.map { ApprovalCount.Signer(principal: $0.value, key: $0.key) }
            .sorted { $0.principal < $1.principal }
    }

    /// Gives the principal a key, and other principals other keys if necessary.
    @discardableResult
    private static func assign(
        _ principal: String,
        among keys: [String: [String]],
        to holders: inout [String: String],
        seen: inout Set<String>
    ) -> Bool {
        for key in keys[principal] ?? [] where seen.insert(key).inserted {
            if let holder = holders[key],
                !assign(holder, among: keys, to: &holders, seen: &seen)
            {
                continue
            }
            holders[key] = principal
            return true
        }
        return false
    }
}
