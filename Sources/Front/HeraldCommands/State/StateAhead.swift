import CampaignLoading
import CampaignModel
import State
import SQLiteStore

/// The state of an environment, read while the project's files are.
struct StateAhead: Sendable {
    let environment: CampaignModel.Environment
    let store: SQLiteStore
    let applied: AppliedState
}

extension Pipeline {
    /// Nil where there is no state yet, where only a key opens it, or where anything is wrong with it
    /// or with `herald.yaml`: whoever opens it once the files are known to be sound finds out what.
    func readAhead(_ options: EnvironmentOptions) async -> StateAhead? {
        guard let id = options.id, (try? SQLiteStore.isThere(path: statePath(id))) == true else {
            return nil
        }
        let loader = ProjectLoader(
            zones: surroundings.zones,
            variables: EnvironmentVariables(for: id, surroundings.variables)
        )
        let project = loader.loadProjectFile(directory: self.options.directory).project
        guard let environment = project?.environment(id),
            environment.settings.state.store == .sqlite,
            environment.settings.state.encryption == nil,
            let store = try? openStore(environment),
            let applied = try? store.appliedState()
        else { return nil }
        return StateAhead(environment: environment, store: store, applied: applied)
    }
}
