package import CampaignModel
package import Diagnostics

extension LoadedProject {
    /// What an environment says and nothing acts on yet.
    package func unbuiltKeys(of environment: EnvironmentID) -> [Diagnostic] {
        (declarations.project?.environments?.value ?? [])
            .filter { $0.name.value == environment }.flatMap(\.laterKeys)
    }

    /// This project with every key that nothing acts on yet as an error, but for those that only
    /// other environments say.
    package func refusingUnbuilt(for environment: EnvironmentID) -> LoadedProject {
        let environments = declarations.project?.environments?.value ?? []
        let elsewhere = Set(environments.flatMap(\.laterKeys))
            .subtracting(unbuiltKeys(of: environment))
        let refused = log.map { finding in
            guard finding.rule == .notBuiltYet else { return finding }
            return elsewhere.contains(finding) ? nil : finding.with(severity: .error)
        }
        return LoadedProject(
            catalog: catalog,
            declarations: declarations,
            project: project,
            log: refused,
            settings: settings,
            shared: shared,
            zones: zones
        )
    }
}
