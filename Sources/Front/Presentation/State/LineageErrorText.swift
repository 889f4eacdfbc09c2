import CampaignLoading
package import CampaignModel
package import State

/// Errors of the lineage in `herald.yaml`.
extension ErrorText {
    /// `lineage`: the lineage of the existing state; nil if there is none.
    package static func unnamedLineage(
        of environment: EnvironmentID,
        found lineage: StateLineage?
    ) -> ErrorText {
        let entry = lineage.map { "; it writes `state: { lineage: \"\($0)\" }`" } ?? ""
        return ErrorText(
            "herald.yaml names no lineage for \(environment), so Herald cannot tell a lost state "
                + "from a new one",
            help: "run `\(CommandHint(for: environment)("state init"))` and commit herald.yaml"
                + entry
        )
    }

    package static func unchangedProjectFile(
        because reason: String,
        lineage: StateLineage,
        environment: EnvironmentID
    ) -> ErrorText {
        ErrorText(
            "\(ProjectLoader.projectFile) was not changed: \(TextStyle.safe(reason))",
            help: "write `state: { lineage: \"\(lineage)\" }` into the environment \(environment) "
                + "yourself"
        )
    }
}
