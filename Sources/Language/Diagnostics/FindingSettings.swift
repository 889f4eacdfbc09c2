/// The project's settings for findings: the severity of rules, and allowances in comments.
package struct FindingSettings: Sendable {
    package let rules: [RuleID: RuleSetting]
    package let allowances: [Allowance]
    /// Whether unused allowances are reported.
    ///
    /// They are not if the files are loaded for an environment that changes what rules find.
    private let reportsUnused: Bool
    private let allowancesByPlace: [AllowancePlace: [Allowance]]

    package init(
        rules: [RuleID: RuleSetting] = [:],
        allowances: [Allowance] = [],
        reportsUnused: Bool = true
    ) {
        self.rules = rules
        self.allowances = allowances
        self.reportsUnused = reportsUnused
        allowancesByPlace = Dictionary(grouping: allowances) {
            AllowancePlace(source: $0.scope.source, rule: $0.rule)
        }
    }

    /// Whether a setting lifts the rule, or a comment lifts at least one of its findings.
    package func lifts(_ rule: RuleID) -> Bool {
        switch rules[rule] {
        case .off?, .warn?: true
        case .error?, nil: allowances.contains { $0.rule == rule }
        }
    }

    /// Applies the settings, and adds a warning for each unused allowance.
    ///
    /// An allowance is unused if it silences no finding that earlier allowances left. It is not
    /// reported as unused if its own file or the project file (the first one) has errors, because
    /// rules may not have run.
    ///
    /// `unchecked`: rules that did not run.
    package func apply(
        to log: DiagnosticLog,
        besides unchecked: Set<RuleID> = []
    ) -> DiagnosticLog {
        var used: Set<SourceSpan> = []
        var result = log.map { finding in
            guard finding.rule.isConfigurable else { return finding }
            guard let first = allowance(for: finding) else { return adjusted(finding) }
            used.insert(first.comment)
            return nil
        }
        let broken = Set(result.errors.compactMap { $0.span?.source })
        guard reportsUnused, !broken.contains(SourceID(index: 0)) else { return result }
        for allowance in allowances
        where !used.contains(allowance.comment) && !broken.contains(allowance.comment.source)
            && !unchecked.contains(allowance.rule)
        {
            if let unused = adjusted(.unused(allowance)) { result.report(unused) }
        }
        return result
    }

    private func allowance(for finding: Diagnostic) -> Allowance? {
        guard let span = finding.span else { return nil }
        let place = AllowancePlace(source: span.source, rule: finding.rule)
        return allowancesByPlace[place]?.first { $0.reaches(span.start) }
    }

    private func adjusted(_ finding: Diagnostic) -> Diagnostic? {
        switch rules[finding.rule] {
        case nil: finding
        case .off?: nil
        case .warn?: finding.with(severity: .warning)
        case .error?: finding.with(severity: .error)
        }
    }
}

/// The file and the rule of an allowance.
private struct AllowancePlace: Hashable {
    let source: SourceID
    let rule: RuleID
}

/// A comment that silences one rule for findings that begin in its scope.
package struct Allowance: Sendable {
    package let rule: RuleID
    package let scope: SourceSpan
    package let comment: SourceSpan

    package init(rule: RuleID, scope: SourceSpan, comment: SourceSpan) {
        self.rule = rule
        self.scope = scope
        self.comment = comment
    }

    /// Whether an offset of the scope's file is in the scope.
    fileprivate func reaches(_ offset: Int) -> Bool {
        scope.start <= offset && offset < max(scope.end, scope.start + 1)
    }
}

extension Diagnostic {
    fileprivate static func unused(_ allowance: Allowance) -> Diagnostic {
        Diagnostic(
            rule: .unusedAllow,
            message: "`\(allowance.rule.rawValue)` finds nothing here",
            span: allowance.comment,
            label: "this comment has no effect",
            help: ["remove the comment, or move it above the line that it applies to"]
        )
    }
}
