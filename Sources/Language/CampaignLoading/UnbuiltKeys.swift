package import CampaignModel
package import Diagnostics

extension LoadedProject {
    /// Returns the keys of an environment that are not implemented yet.
    package func unbuiltKeys(of environment: EnvironmentID) -> [Diagnostic] {
        (declarations.project?.environments?.value ?? [])
            .filter { $0.name.value == environment }.flatMap(\.laterKeys)
    }

    /// Returns the project with an error for every key that is not implemented yet.
    ///
    /// Keys that appear only in other environments, or only in parts of the files that this
    /// environment does not use, are excepted.
    package func refusingUnbuilt(for environment: EnvironmentID) -> LoadedProject {
        let environments = declarations.project?.environments?.value ?? []
        let elsewhere = Set(environments.flatMap(\.laterKeys))
            .subtracting(unbuiltKeys(of: environment))
        let refused = log.map { finding in
            guard finding.rule == .notBuiltYet else { return finding }
            guard !elsewhere.contains(finding), !isUnused(finding) else { return nil }
            return finding.with(severity: .error)
        }
        return LoadedProject(
            catalog: catalog,
            declarations: declarations,
            project: project,
            log: refused,
            settings: settings,
            shared: shared,
            zones: zones,
            insertedVariables: insertedVariables,
            unused: unused
        )
    }

    private func isUnused(_ finding: Diagnostic) -> Bool {
        guard let span = finding.span else { return false }
        return unused.contains {
            $0.source == span.source && $0.start <= span.start && span.end <= $0.end
        }
    }
}
