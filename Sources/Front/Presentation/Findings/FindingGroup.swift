import Diagnostics

/// A finding and the number of equal findings that are not shown.
struct FindingGroup {
    /// The maximum number of findings with the same rule, severity and message to show.
    static let mostEqual = 100

    let first: Diagnostic
    let more: Int

    /// Returns the findings to show, in their order.
    ///
    /// If there are more than `mostEqual` equal findings, only the first of them is shown.
    static func groups(of findings: [Diagnostic]) -> [FindingGroup] {
        guard findings.count > mostEqual else {
            return findings.map { FindingGroup(first: $0, more: 0) }
        }
        var counts: [Identity: Int] = [:]
        for finding in findings { counts[Identity(finding), default: 0] += 1 }
        var shown: Set<Identity> = []
        return findings.compactMap { finding in
            let identity = Identity(finding)
            let count = counts[identity] ?? 1
            guard count > mostEqual else { return FindingGroup(first: finding, more: 0) }
            guard shown.insert(identity).inserted else { return nil }
            return FindingGroup(first: finding, more: count - 1)
        }
    }

    private struct Identity: Hashable {
        let rule: RuleID
        let severity: Severity
        let message: String

        init(_ finding: Diagnostic) {
            rule = finding.rule
            severity = finding.severity
            message = finding.message
        }
    }
}
