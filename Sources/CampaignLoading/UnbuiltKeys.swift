package import CampaignModel
import Diagnostics

extension LoadedProject {
    /// This project with every key that nothing acts on yet as an error, but for those that only
    /// other environments say.
    package func refusingUnbuilt(for environment: EnvironmentID) -> LoadedProject {
        let others = (declarations.project?.environments?.value ?? [])
            .filter { $0.name.value != environment }.map(\.span)
        let refused = log.map { finding in
            guard finding.rule == .notBuiltYet else { return finding }
            let isElsewhere = others.contains { other in finding.span.map(other.contains) ?? false }
            return isElsewhere ? nil : finding.with(severity: .error)
        }
        return LoadedProject(
            catalog: catalog,
            declarations: declarations,
            project: project,
            log: refused,
            settings: settings
        )
    }
}
